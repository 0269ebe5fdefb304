import { CALL_PARTS } from "./call.ts";
import { CLOCK_PARTS } from "./clock.ts";
import { CTX_PARTS } from "./ctx.ts";
import { FETCH_PARTS } from "./fetch.ts";
import { INTRINSICS_PARTS } from "./intrinsics.ts";
import { JOURNAL_PARTS } from "./journal.ts";
import { PLAIN_DATA_PARTS } from "./plain-data.ts";
import { REALM_PARTS } from "./realm.ts";
import { REQUESTS_PARTS } from "./requests.ts";
import { RESPONSE_PARTS } from "./response.ts";
import { SIFT_PARTS } from "./sift.ts";
import { SIFT_REPORT_PARTS } from "./sift-report.ts";
import { SURFACE_PARTS } from "./surface.ts";
import { THROWN_PARTS } from "./thrown.ts";
import { TIMERS_PARTS } from "./timers.ts";
import { WITNESS_PARTS } from "./witness.ts";

/**
 * The script that is evaluated first in every isolate; its value is the door of the realm. It is
 * made of the loaded functions' own text: Node has taken the types off, and what the isolate gets
 * is what the compiler has checked. Each function may use only its parameters and the others.
 */
export function preludeText(): string {
  const parts = [
    INTRINSICS_PARTS,
    PLAIN_DATA_PARTS,
    THROWN_PARTS,
    CLOCK_PARTS,
    JOURNAL_PARTS,
    WITNESS_PARTS,
    REQUESTS_PARTS,
    TIMERS_PARTS,
    RESPONSE_PARTS,
    FETCH_PARTS,
    CTX_PARTS,
    CALL_PARTS,
    SURFACE_PARTS,
    SIFT_PARTS,
    SIFT_REPORT_PARTS,
    REALM_PARTS,
  ].flat();
  return `(function () {\n"use strict";\n${parts.map(String).join("\n")}\nreturn openRealm();\n})()`;
}
