import { readFileSync } from "node:fs";

/**
 * Loaded before a program (`--import`): its clock is off by as many milliseconds as the file that
 * DAY_CLOCK_FILE names says, from the moment it says so.
 */
const file = process.env["DAY_CLOCK_FILE"] ?? "";
const Real = Date;
let offMs = 0;

function look(): void {
  try {
    offMs = Number(readFileSync(file, "utf8"));
  } catch {
    offMs = 0;
  }
}

look();
setInterval(look, 100).unref();

globalThis.Date = new Proxy(Real, {
  construct: (of, args: [], target) =>
    Reflect.construct(of, args.length === 0 ? [Real.now() + offMs] : args, target) as Date,
  apply: () => new Date().toString(),
  get: (of, name, receiver) =>
    name === "now" ? () => Real.now() + offMs : (Reflect.get(of, name, receiver) as unknown),
});
