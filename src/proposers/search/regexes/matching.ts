import type { Json } from "../../../domain/json.ts";
import type { Limits, Program } from "../../../domain/skill.ts";
import { environmentOf } from "../../../domain/world.ts";
import type { CapabilityHosts } from "../../../ports/capabilities.ts";
import type { PatternText } from "../../../ports/editor.ts";
import type { Sandbox } from "../../../ports/sandbox.ts";

export type MatchPorts = { readonly sandbox: Sandbox; readonly hosts: CapabilityHosts };

/** What a pattern finds in each text: whether it matches, and what its group is; null: no match. */
export type Matches = readonly (string | null)[];

/** Patterns that are put to the texts in one call, at most. */
const AT_ONCE = 256;

/** Time for one call. A pattern that takes longer with all texts is not worth a repair. */
const LIMITS: Limits = { timeoutMs: 120, memoryMb: 64, outputBytes: 4_000_000 };

/** Calls that ran out of time, after which what is left is given up. */
const MOST_TIMEOUTS = 8;

/**
 * Puts many patterns to many texts in the guest, since a pattern that nobody trusts may match for
 * ever. Where a call runs out of time its halves are tried, and the pattern to blame matches nothing.
 */
export class Matcher {
  readonly #ports: MatchPorts;
  #timeouts = 0;

  constructor(ports: MatchPorts) {
    this.#ports = ports;
  }

  /** By pattern, what its group `name` holds in each text, or the empty text without a name. */
  async matches(
    patterns: readonly PatternText[],
    { texts, name }: { readonly texts: readonly string[]; readonly name: string },
    signal: AbortSignal,
  ): Promise<readonly Matches[]> {
    const found: Matches[] = [];
    for (let at = 0; at < patterns.length; at += AT_ONCE) {
      found.push(...(await this.#asked(patterns.slice(at, at + AT_ONCE), { texts, name }, signal)));
    }
    return found;
  }

  async #asked(
    patterns: readonly PatternText[],
    of: { readonly texts: readonly string[]; readonly name: string },
    signal: AbortSignal,
  ): Promise<readonly Matches[]> {
    const nothing = patterns.map((): Matches => of.texts.map(() => null));
    if (patterns.length === 0 || this.#timeouts > MOST_TIMEOUTS) return nothing;
    const args = [patterns.map(({ text, flags }) => [text, flags]), of.texts, of.name] as Json[];
    const host = this.#ports.hosts.table({}, {}, "closed");
    const call = { args, grants: [], environment: environmentOf({}), host };
    const execution = { program: PROGRAM, calls: [call], limits: LIMITS, fresh: false };
    const [result] = await this.#ports.sandbox.execute({ ...execution, unconfirmed: true }, signal);
    const outcome = result?.trace.outcome;
    if (outcome?.status === "returned") return outcome.value as unknown as readonly Matches[];
    this.#timeouts += 1;
    if (patterns.length === 1) return nothing;
    const half = patterns.length >> 1;
    return [
      ...(await this.#asked(patterns.slice(0, half), of, signal)),
      ...(await this.#asked(patterns.slice(half), of, signal)),
    ];
  }
}

/** Runs in the guest. A text that is no pattern matches nothing. */
function matchAll(
  patterns: readonly (readonly [text: string, flags: string])[],
  texts: readonly string[],
  name: string,
): (string | null)[][] {
  return patterns.map(([text, flags]) => {
    let made: RegExp;
    try {
      made = new RegExp(text, flags.replace("g", ""));
    } catch {
      return texts.map(() => null);
    }
    return texts.map((one) => {
      made.lastIndex = 0;
      const found = made.exec(one);
      return found === null ? null : name === "" ? "" : (found.groups?.[name] ?? null);
    });
  });
}

const PROGRAM: Program = {
  text: matchAll.toString(),
  entry: "matchAll",
  strict: true,
  takesCtx: false,
};
