import { randomUUID } from "node:crypto";

/** An id that says what it is of: `run_…`, `inci_…`. */
export function newId(kind: string): string {
  return `${kind.slice(0, 4)}_${randomUUID().replaceAll("-", "").slice(0, 20)}`;
}
