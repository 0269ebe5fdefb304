import type { MemberShape, Shape } from "./answer-shape.ts";

/** What an endpoint used to answer. Plain data: it is kept in the ledger. */
export type Upstream = {
  /** Answers that were learnt from, `LEARNT` at most. */
  readonly answers: number;
  readonly members: Readonly<Record<string, Known>>;
  /** How many answers in a row had something else, by what it was. */
  readonly odd: Readonly<Record<string, number>>;
  /** Answers in a row that had nothing else. */
  readonly usual: number;
};

type Known = {
  readonly types: readonly string[];
  readonly parent: string | null;
  /** Learnt answers that had it, and the number of the first that did. */
  readonly times: number;
  readonly firstIn: number;
};

/** Answers learnt from; in a row with the same change until it is told, and without one until it is over. */
const LEARNT = 20;
const TOLD_AFTER = 5;
/** Answers after which what is new is what is usual. */
const SETTLED_AFTER = 200;
/** Changes told of one answer. */
const MOST = 8;

export const UNKNOWN: Upstream = { answers: 0, members: {}, odd: {}, usual: 0 };

/**
 * One answer more. The first twenty are learnt: which members there are, of what types, and which are
 * always there. Later ones are held against that. An object that goes on gaining members while it is
 * learnt is a map of names: members of it are neither new nor missing.
 */
export function answered(known: Upstream, shape: Shape): Upstream {
  if (known.answers < LEARNT) return learnt(known, shape);
  const changes = changesOf(known, shape);
  const odd = Object.fromEntries(
    changes.slice(0, MOST).map((change) => [change, (known.odd[change] ?? 0) + 1]),
  );
  if (Object.values(odd).some((times) => times >= SETTLED_AFTER)) return learnt(UNKNOWN, shape);
  return { ...known, odd, usual: changes.length === 0 ? known.usual + 1 : 0 };
}

/** What has moved, as clauses; empty where nothing has. */
export function movedIn({ odd }: Upstream): readonly string[] {
  return Object.keys(odd).filter((change) => (odd[change] ?? 0) >= TOLD_AFTER);
}

/** Whether answers are again what they used to be, or are being learnt anew. */
export function isUsual({ usual, answers }: Upstream): boolean {
  return usual >= TOLD_AFTER || answers < LEARNT;
}

function learnt({ answers, members, ...rest }: Upstream, shape: Shape): Upstream {
  const next: Record<string, Known> = { ...members };
  for (const [path, { types, parent }] of shape) {
    const before = next[path] ?? { types: [], parent, times: 0, firstIn: answers };
    const all = [...new Set([...before.types, ...types])].toSorted();
    next[path] = { ...before, types: all, times: before.times + 1 };
  }
  return { ...rest, answers: answers + 1, members: next };
}

function changesOf({ members }: Upstream, shape: Shape): readonly string[] {
  const maps = new Set(
    Object.values(members).flatMap(({ parent, firstIn }) =>
      parent !== null && firstIn > LEARNT / 2 ? [parent] : [],
    ),
  );
  const isOfMap = ({ parent }: { readonly parent: string | null }): boolean =>
    parent !== null && maps.has(parent);
  const changed = [...shape].flatMap(([path, member]) =>
    isOfMap(member) && members[path] === undefined ? [] : changedMember(path, member, members),
  );
  const missing = Object.entries(members).filter(
    ([path, of]) => !shape.has(path) && !isOfMap(of) && isAlways(of, members) && isDue(of, shape),
  );
  return [...changed, ...missing.map(([path]) => `${path} is missing`)];
}

function changedMember(
  path: string,
  { types, parent }: MemberShape,
  members: Upstream["members"],
): readonly string[] {
  const before = members[path];
  if (before === undefined) {
    // Elements of a list that was always empty are no news, and what is new brings its own members.
    const isKnown = parent === null || members[parent] !== undefined;
    return isKnown && !path.endsWith("[]") ? [`${path} is new`] : [];
  }
  const others = types.filter((type) => !before.types.includes(type));
  return others.map((type) => `${path} is ${type} now, was ${before.types.join(" or ")}`);
}

/** Whether it was there whenever what it is a member of was. */
function isAlways({ times, parent }: Known, members: Upstream["members"]): boolean {
  return parent !== null && times === members[parent]?.times;
}

/** Whether this answer has that of which it is a member, as an object; a list may be empty. */
function isDue({ parent }: Known, shape: Shape): boolean {
  return parent !== null && shape.get(parent)?.types.includes("object") === true;
}
