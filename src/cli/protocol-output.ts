import { Writable } from "node:stream";

/**
 * The stdout of `hone mcp`, for its protocol alone: whatever else writes to stdout (a dependency, a
 * forgotten `console.log`) comes out at stderr, whole and in order. It is taken when this module is
 * loaded, which `main.ts` does before anything else, so that nothing else can come first.
 */
export function protocolOutput(): Writable {
  const write = taken ?? take(process.stdout);
  return new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      write(chunk, done);
    },
  });
}

type Write = (chunk: string | Buffer, done: (error?: Error | null) => void) => boolean;

/** Whether this process was started to speak the protocol. */
export const isSpeaking = isServing(process.argv.slice(2));

const taken = isSpeaking ? take(process.stdout) : null;

/** Whether these are the arguments of `hone mcp`, and not of a command below it or of its help. */
function isServing(args: readonly string[]): boolean {
  const at = args.indexOf("mcp");
  const rest = args.slice(at + 1);
  return at >= 0 && rest.every((arg) => arg.startsWith("-") && arg !== "-h" && arg !== "--help");
}

function take(stdout: NodeJS.WriteStream): Write {
  const write: Write = stdout.write.bind(stdout);
  stdout.write = process.stderr.write.bind(process.stderr);
  return write;
}
