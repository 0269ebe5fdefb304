import { HoneError } from "../../domain/errors.ts";

/** The wall could not be put up, or is gone: this says nothing of the program behind it. */
export function unavailable(what: string, cause?: unknown): HoneError {
  return new HoneError("sandbox-unavailable", what, {
    hint: "Start the container engine, or set `docker: off`; `hone doctor` shows what is there.",
    retryable: true,
    cause,
  });
}
