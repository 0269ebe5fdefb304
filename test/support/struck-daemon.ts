// Loaded before the daemon (`--import`): ends it, or lets it fail, at the place that STRIKE names. A
// stand-in for faults of Node, of a native module, or of hone itself.
import fs, { type PathLike } from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const [kind = "", place = ""] = (process.env["STRIKE"] ?? "").split(/ (.*)/);

function die(): never {
  process.kill(process.pid, "SIGKILL");
  for (;;);
}

/** `kill <call> <part of a path or text>`: the process is gone as the call begins. */
function killAtCall(): void {
  const [call = "", part = ""] = place.split(/ (.*)/);
  const isMeant = (what: unknown): boolean => String(what).includes(part);
  const { renameSync, writeFileSync, rmSync, writeSync } = fs;
  if (call === "rename")
    fs.renameSync = (from: PathLike, to: PathLike) => (isMeant(to) ? die() : renameSync(from, to));
  if (call === "write")
    fs.writeFileSync = (...args) => (isMeant(args[0]) ? die() : writeFileSync(...args));
  if (call === "remove") fs.rmSync = (...args) => (isMeant(args[0]) ? die() : rmSync(...args));
  if (call === "log") {
    const write = writeSync as (...args: unknown[]) => number;
    fs.writeSync = (...args: unknown[]) => (isMeant(args[1]) ? die() : write(...args));
  }
  if (call === "chmod") {
    const { chmod } = fs.promises;
    fs.promises.chmod = async (...args) => (isMeant(args[0]) ? die() : await chmod(...args));
  }
  syncBuiltinESMExports();
}

/** `answer <text>`: the process is gone when it reads that text in what a guest says. */
function killAtAnswer(): void {
  const { parse } = JSON;
  JSON.parse = (text: string, ...rest: []) => {
    if (typeof text === "string" && text.includes('"ended"') && text.includes(place)) die();
    return parse(text, ...rest);
  };
}

/** `throw` or `exit <code>`: what happens at SIGUSR2. */
function failAtSignal(): void {
  process.on("SIGUSR2", () => {
    if (kind === "exit") process.exit(Number(place));
    setTimeout(() => {
      throw new Error("no such thing");
    });
  });
}

if (kind === "kill") killAtCall();
else if (kind === "answer") killAtAnswer();
else failAtSignal();
