import { fork, type ChildProcess } from "node:child_process";
import { LLAMA_ENTRY } from "../../entries.ts";
import type { Answer, Asked, FromModel, ModelFacts, ToModel } from "./protocol.ts";

export type ChildSettings = {
  readonly gguf: string;
  readonly sequences: number | null;
  readonly env: Readonly<Record<string, string | undefined>>;
};

/** What the process tells its owner. Nothing follows `lost`. */
export type ChildNews = {
  readonly answered: (id: number, answer: Answer) => void;
  readonly stopped: (id: number) => void;
  readonly lost: (reason: string) => void;
};

/** Of the environment, what a GPU and its driver are found by. */
const PASSED =
  /^(PATH|LD_LIBRARY_PATH|DYLD_\w+|CUDA_\w+|NVIDIA_\w+|VK_\w+|HIP_\w+|ROCR_\w+|GGML_\w+)$/;

/** One process with one model in memory. It ends when its owner does. */
export class ModelChild {
  /** Rejects with an Error of one sentence where the model cannot be loaded. */
  readonly loaded: Promise<ModelFacts>;
  isLoaded = false;
  readonly #process: ChildProcess;
  readonly #news: ChildNews;
  readonly #loading = Promise.withResolvers<ModelFacts>();
  #lastWords = "";
  #reason = "";
  #isLost = false;

  constructor({ gguf, sequences, env }: ChildSettings, news: ChildNews) {
    this.#news = news;
    this.loaded = this.#loading.promise;
    this.loaded.catch(() => undefined);
    this.#process = fork(LLAMA_ENTRY, [], {
      cwd: "/",
      env: Object.fromEntries(Object.entries(env).filter(([name]) => PASSED.test(name))),
      execArgv: ["--disable-warning=ExperimentalWarning"],
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    this.#process.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#lastWords = (this.#lastWords + text).slice(-2_000);
    });
    this.#process.on("message", (message: FromModel) => this.#hear(message));
    this.#process.on("error", (error) => this.#lose(error.message));
    this.#process.on("close", (code, signal) => this.#lose(this.#endedBy(code, signal)));
    this.#tell({ kind: "load", gguf, sequences });
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  complete(id: number, asked: Asked): void {
    this.#tell({ kind: "complete", id, asked });
  }

  stop(id: number): void {
    this.#tell({ kind: "stop", id });
  }

  /** Ends it at once; `lost` follows. */
  kill(reason: string): void {
    this.#reason = reason;
    this.hold(true);
    this.#process.kill("SIGKILL");
  }

  /** Whether its owner lives on for its sake; always, until it is gone, once it was killed. */
  hold(isWanted: boolean): void {
    const isHeld = isWanted || this.#reason !== "";
    const { stderr, channel } = this.#process;
    for (const each of [this.#process, channel, stderr as unknown as NodeJS.Timeout | null]) {
      if (isHeld) each?.ref();
      else each?.unref();
    }
  }

  #hear(message: FromModel): void {
    switch (message.kind) {
      case "loaded":
        this.isLoaded = true;
        return this.#loading.resolve(message.facts);
      case "failed":
        this.#loading.reject(new Error(message.reason));
        return this.kill(message.reason);
      case "answered":
        return this.#news.answered(message.id, message.answer);
      case "stopped":
        return this.#news.stopped(message.id);
    }
  }

  #tell(message: ToModel): void {
    if (this.#process.connected) this.#process.send(message, () => undefined);
  }

  #endedBy(code: number | null, signal: string | null): string {
    if (this.#reason !== "") return this.#reason;
    const words = this.#lastWords.trim().split("\n").at(-1) ?? "";
    const how = `the model's process ended (${signal ?? `exit code ${code}`})`;
    return words === "" ? how : `${how}: ${words}`;
  }

  #lose(reason: string): void {
    if (this.#isLost) return;
    this.#isLost = true;
    this.#loading.reject(new Error(reason));
    this.#news.lost(reason);
  }
}
