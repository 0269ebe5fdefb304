import { fork, type ChildProcess } from "node:child_process";
import type { EditorReply, EditorRequest } from "../../editor/protocol.ts";
import { EDITOR_ENTRY } from "../../entries.ts";

/** One request on its way, with what becomes of it. */
export type Errand = {
  readonly request: EditorRequest;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
};

export type ChildSettings = {
  /** Longest time one request may take, start of the process included. */
  readonly deadlineMs: number;
  readonly memoryMb: number;
};

/** What the child tells its owner. */
export type ChildNews = {
  readonly replied: (reply: EditorReply) => void;
  /** The process is gone; `left` are the requests it never answered, the one at work first. */
  readonly lost: (left: readonly Errand[], reason: string) => void;
};

/**
 * One editor process: answers errands in order, and is killed when one exceeds its deadline. While
 * it has nothing to do it does not keep its owner alive, and it ends when its owner does.
 */
export class EditorChild {
  readonly #process: ChildProcess;
  readonly #settings: ChildSettings;
  readonly #news: ChildNews;
  readonly #errands: Errand[] = [];
  #deadline: NodeJS.Timeout | null = null;
  #lastWords = "";
  #reason = "it ended by itself";
  #isLost = false;

  constructor(settings: ChildSettings, news: ChildNews) {
    this.#settings = settings;
    this.#news = news;
    this.#process = fork(EDITOR_ENTRY, [], {
      cwd: "/",
      env: {},
      execArgv: [
        "--disable-warning=ExperimentalWarning",
        `--max-old-space-size=${settings.memoryMb}`,
      ],
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    this.#process.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#lastWords = (this.#lastWords + text).slice(-2_000);
    });
    this.#process.on("message", (reply: EditorReply) => this.#settle(reply));
    this.#process.on("error", (error) => this.#lose(error.message));
    this.#process.on("close", () => this.#lose(this.#reason));
    this.#rest();
  }

  /** Requests that it has taken and not answered. */
  get busy(): number {
    return this.#errands.length;
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  send(errand: Errand): void {
    this.#errands.push(errand);
    this.#process.ref();
    this.#process.channel?.ref();
    if (this.#errands.length === 1) this.#watch();
    if (this.#process.connected) this.#process.send(errand.request, () => undefined);
  }

  /** Ends it at once; what it has not answered is handed back as lost. */
  kill(reason: string): void {
    this.#reason = reason;
    this.#process.ref();
    this.#process.kill("SIGKILL");
  }

  #settle(reply: EditorReply): void {
    const [first] = this.#errands;
    if (first?.request.id !== reply.id) return;
    this.#errands.shift();
    this.#watch();
    if (this.#errands.length === 0) this.#rest();
    first.resolve(reply.value);
    this.#news.replied(reply);
  }

  /** The deadline is that of the errand at work. */
  #watch(): void {
    if (this.#deadline !== null) clearTimeout(this.#deadline);
    const { deadlineMs } = this.#settings;
    this.#deadline =
      this.#errands.length === 0
        ? null
        : setTimeout(() => this.kill(`it gave no answer in ${deadlineMs} ms`), deadlineMs);
  }

  #rest(): void {
    this.#process.unref();
    this.#process.channel?.unref();
    const { stderr } = this.#process;
    if (stderr !== null && "unref" in stderr && typeof stderr.unref === "function") stderr.unref();
  }

  #lose(reason: string): void {
    if (this.#isLost) return;
    this.#isLost = true;
    const left = this.#errands.splice(0);
    this.#watch();
    const [words = ""] = /^\w*Error: .*$/m.exec(this.#lastWords) ?? [];
    this.#news.lost(left, words === "" ? reason : words);
  }
}
