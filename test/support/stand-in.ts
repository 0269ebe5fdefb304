import assert from "node:assert/strict";
import { createServer } from "node:net";
import path from "node:path";

/** A port of this machine that nobody has just now. */
export async function aFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : assert.fail();
}

const STAND_IN = path.resolve(import.meta.dirname, "stand-in-server.ts");

/** The command of a stand-in for a model server with some traits. */
export function standInCommand(port: number, traits: string): string {
  return `exec ${process.execPath} ${STAND_IN} ${port} ${traits}`;
}

/** Kills one process, or a group by a negative id. Nought would be the group of the test itself. */
export function killHard(id: number): void {
  assert.ok(Math.abs(id) > 1, `${id} is no process of this test`);
  process.kill(id, "SIGKILL");
}
