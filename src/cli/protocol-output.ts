import { Writable } from "node:stream";

/**
 * The process's stdout for one protocol alone: from now on whatever else writes to stdout (a
 * dependency, a forgotten `console.log`) comes out at stderr, whole and in order.
 */
export function protocolOutput(
  stdout: NodeJS.WriteStream = process.stdout,
  stderr: NodeJS.WriteStream = process.stderr,
): Writable {
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  return new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      write(chunk, done);
    },
  });
}
