const WHOLE = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

/** A count with separators between its thousands. */
export function count(value: number): string {
  return WHOLE.format(value);
}

/** "1 run", "2 runs". */
export function counted(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? "" : "s"}`;
}

/** A reward in [0,1] with three digits, or a dash where there is none. */
export function reward(value: number | null | undefined): string {
  return value === null || value === undefined ? "–" : value.toFixed(3);
}

/** A difference of rewards with its sign. */
export function difference(value: number): string {
  const text = Math.abs(value).toFixed(3);
  if (Number(text) === 0) return "±0.000";
  return value > 0 ? `+${text}` : `−${text}`;
}

/** The short form of a commit, or of an id. */
export function short(id: string): string {
  return /^[0-9a-f]{40}$/.test(id) ? id.slice(0, 8) : id;
}
