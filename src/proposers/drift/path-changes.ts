import type { Moved } from "../../domain/drift.ts";

/** A run of path segments that becomes another, with a neighbour where one is needed to find it. */
export type SegmentChange = { readonly before: string; readonly after: string };

/**
 * How the path of `from` becomes that of `to`: alternative sets of changes, the smallest whole
 * region in one piece first, then each differing run and each segment by itself, then the whole path.
 */
export function segmentChanges({ from, to }: Moved): readonly (readonly SegmentChange[])[] {
  const before = split(from);
  const after = split(targetOf(from, to, before.path));
  const hosts = after.host !== "" && after.host !== before.host;
  const moved = hosts ? [{ before: before.host, after: after.host }] : [];
  const [old, now] = [before.path, filled(after.path, before.path)];
  if (old.join("/") === now.join("/")) return moved.length > 0 ? [moved] : [];
  const ways = [region(old, now), ...runsOf(old, now), ...singly(old, now), whole(old, now)];
  return ways.map((way) => [...moved, ...way]);
}

/** The URL that `to` stands for, given what was asked for: a version alone replaces the version. */
function targetOf(from: string, to: string, path: readonly string[]): string {
  if (/^https?:\/\//.test(to)) return to;
  const version = /^\/?(v\d+)\/?$/i.exec(to)?.[1];
  if (version === undefined) return to.startsWith("/") ? to : `/${to}`;
  if (!path.some((segment) => /^v\d+$/i.test(segment))) return `/${[version, ...path].join("/")}`;
  return `/${path.map((segment) => (/^v\d+$/i.test(segment) ? version : segment)).join("/")}`;
}

function split(url: string): { readonly host: string; readonly path: readonly string[] } {
  const [, host = "", path = ""] = /^(https?:\/\/[^/?#]+)?([^?#]*)/.exec(url) ?? [];
  return { host, path: path.split("/").filter((segment) => segment !== "") };
}

/** `{id}` and `:id` of a documented path stand for what was asked for. */
function filled(path: readonly string[], asked: readonly string[]): readonly string[] {
  return path.map((segment, at) => {
    const isHole = /^[{:<]/.test(segment);
    return isHole ? (asked[at + asked.length - path.length] ?? asked[at] ?? segment) : segment;
  });
}

/** From the first to the last segment that differs, in one. */
function region(old: readonly string[], now: readonly string[]): SegmentChange[] {
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head += 1;
  let tail = 0;
  while (
    tail < old.length - head &&
    tail < now.length - head &&
    old[old.length - 1 - tail] === now[now.length - 1 - tail]
  ) {
    tail += 1;
  }
  return [changeOf(old, now, { head, tail })];
}

/** A change of nothing into something takes the segment before it along. */
function changeOf(
  old: readonly string[],
  now: readonly string[],
  { head, tail }: { readonly head: number; readonly tail: number },
): SegmentChange {
  const from = old.length - tail === head && head > 0 ? head - 1 : head;
  return {
    before: joined(old.slice(from, old.length - tail)),
    after: joined(now.slice(from, now.length - tail)),
  };
}

function joined(segments: readonly string[]): string {
  return segments.length === 0 ? "" : `/${segments.join("/")}`;
}

/** Each differing run by itself, where old and new are aligned by their longest common segments. */
function runsOf(old: readonly string[], now: readonly string[]): SegmentChange[][] {
  const runs: SegmentChange[] = [];
  let [i, j] = [0, 0];
  for (const [atOld, atNow] of [...common(old, now), [old.length, now.length] as const]) {
    if (atOld > i || atNow > j) {
      const from = atOld === i && i > 0 ? i - 1 : i;
      const back = i - from;
      runs.push({
        before: old.slice(from, atOld).join("/"),
        after: now.slice(j - back, atNow).join("/"),
      });
    }
    [i, j] = [atOld + 1, atNow + 1];
  }
  return runs.length > 0 && runs.every(({ before }) => before !== "") ? [runs] : [];
}

/** Each differing segment by itself, where the two paths are equally long. */
function singly(old: readonly string[], now: readonly string[]): SegmentChange[][] {
  if (old.length !== now.length) return [];
  return [
    old.flatMap((before, at) => {
      const after = now[at] ?? before;
      return after === before ? [] : [{ before, after }];
    }),
  ];
}

/** Positions of a longest common subsequence of segments. */
function common(a: readonly string[], b: readonly string[]): (readonly [number, number])[] {
  const longest = (i: number, j: number): (readonly [number, number])[] => {
    if (i === a.length || j === b.length) return [];
    if (a[i] === b[j]) return [[i, j], ...longest(i + 1, j + 1)];
    const [skipOld, skipNew] = [longest(i + 1, j), longest(i, j + 1)];
    return skipOld.length >= skipNew.length ? skipOld : skipNew;
  };
  return a.length + b.length > 24 ? [] : longest(0, 0);
}

function whole(old: readonly string[], now: readonly string[]): SegmentChange[] {
  return [{ before: joined(old), after: joined(now) }];
}
