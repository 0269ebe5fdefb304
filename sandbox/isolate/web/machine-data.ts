/** Plain data, as far as a machine is concerned. */
export type Members = Readonly<Record<string, unknown>>;

/** What XState hands to guards and actions. */
export type Given = { readonly context: unknown; readonly event: unknown };

/** What a skill is called with: the last ones win. */
export function inputOf({ context, event }: Given, params: unknown): Members {
  return { ...membersOf(context), ...payloadOf(membersOf(event)), ...membersOf(params) };
}

/** The members of an event that are not XState's own. */
function payloadOf({ type, ...members }: Members): Members {
  if (typeof type !== "string" || !type.startsWith("xstate.")) return members;
  const { output, error } = members;
  return { ...(output === undefined ? {} : { output }), ...(error === undefined ? {} : { error }) };
}

/** An error as an event may carry it. */
export function plainError(thrown: unknown): Members {
  const { name, message } = thrown instanceof Error ? thrown : new Error(String(thrown));
  return { name, message };
}

export function membersOf(value: unknown): Members {
  return isMembers(value) ? value : {};
}

export function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
