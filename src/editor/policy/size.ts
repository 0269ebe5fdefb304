import { LARGEST_SOURCE_BYTES } from "../../domain/patch-scope.ts";
import type { Finding } from "../../ports/editor.ts";

const LARGEST_GROWTH = 16;
/** A source shorter than this, in characters, may grow to LARGEST_GROWTH times this. */
const SMALL = 256;

/** A source that is too large, or that a patch makes many times as long. */
export function sizeFindings(before: string, after: string): Finding[] {
  const findings: Finding[] = [];
  const bytes = Buffer.byteLength(after);
  if (bytes > Math.max(LARGEST_SOURCE_BYTES, Buffer.byteLength(before))) {
    const message = `the source has ${bytes} bytes; ${LARGEST_SOURCE_BYTES} are allowed`;
    findings.push({ line: 1, message });
  }
  if (after.length > LARGEST_GROWTH * Math.max(SMALL, before.length)) {
    const message = `the source grows to more than ${LARGEST_GROWTH} times its length`;
    findings.push({ line: 1, message });
  }
  return findings;
}
