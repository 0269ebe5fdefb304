/**
 * What a watched program carries with it, as text. The functions of this file run in the guest: they
 * see what reaches each regular expression, and find in it what they are told to find.
 */

/** What a watched call is told, as its first argument. */
type WatchOrder = {
  /** Give back the matches instead of the result. */
  readonly tells: boolean;
  /** The expression whose matches are not its own; -1 for none. */
  readonly site: number;
  /** Which of its matches, from 0; -1 for all that come out otherwise. */
  readonly turn: number;
  /** Whether it matches there. */
  readonly matches: boolean;
};

/** One match that was asked for: where, of what, from where on, and whether there was one. */
type WatchedMatch = readonly [site: number, text: string, from: number, matched: boolean];

type Watch = {
  (site: number, made: unknown): unknown;
  order: WatchOrder;
  turns: number;
  log: WatchedMatch[];
};

/** Every way of matching asks `exec` of the expression itself, where it has one (ECMA-262, 22.2.7.1). */
function __hone_regex(site: number, made: unknown): unknown {
  if (!(made instanceof RegExp) || Object.hasOwn(made, "exec")) return made;
  const own = Reflect.get(RegExp.prototype, "exec") as () => unknown;
  const value = function exec(this: RegExp, given: unknown): unknown {
    const text = String(given);
    const from = this.lastIndex;
    const found = Reflect.apply(own, this, [text]);
    const watch = __hone_regex as unknown as Watch;
    const { order, log } = watch;
    const matched = found !== null;
    if (order === undefined) return found;
    if (log.length < 400 && text.length < 400) log.push([site, text, from, matched]);
    if (site !== order.site || matched === order.matches) return found;
    const turn = watch.turns++;
    if (order.turn !== -1 && order.turn !== turn) return found;
    this.lastIndex = 0;
    if (matched) return null;
    return Object.assign([text], { index: 0, input: text, groups: undefined });
  };
  Object.defineProperty(made, "exec", { value, configurable: true, writable: true });
  return made;
}

function __hone_watch(order: WatchOrder, ...args: unknown[]): unknown {
  const watch = __hone_regex as unknown as Watch;
  watch.order = order;
  watch.turns = 0;
  watch.log = [];
  const entry = __hone_entry as (...args: unknown[]) => unknown;
  if (!order.tells) return entry(...args);
  const tell = (): readonly WatchedMatch[] => watch.log;
  try {
    const made = entry(...args);
    return made instanceof Promise ? made.then(tell, tell) : tell();
  } catch {
    return tell();
  }
}

declare const __hone_entry: unknown;

/** The parts as text, for a program whose entry has a name. */
export function watchText(entry: string): string {
  const text = __hone_watch.toString().replace("__hone_entry", () => entry);
  return `\n;${__hone_regex.toString()}\n${text}\n`;
}
