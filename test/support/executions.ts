import type { Json } from "../../src/domain/json.ts";
import { CAPABILITY_NAMES, type Limits, type Program } from "../../src/domain/skill.ts";
import type { Answer, Outcome, Request } from "../../src/domain/trace.ts";
import type {
  Call,
  CallResult,
  CapabilityHost,
  Execution,
  Sandbox,
} from "../../src/ports/sandbox.ts";

export const NOW = Date.UTC(2026, 0, 1);

/** Limits that a loaded machine keeps as well. */
export const LIMITS: Limits = { timeoutMs: 1_000, memoryMb: 64, outputBytes: 262_144 };

type CallOverrides = Partial<Call>;

/** A call without arguments, everything granted, answered by a host that has nothing to say. */
export function aCall(overrides: CallOverrides = {}): Call {
  return {
    args: [],
    grants: CAPABILITY_NAMES,
    environment: { now: NOW, seed: 1 },
    host: silentHost(),
    ...overrides,
  };
}

type ExecutionOverrides = Partial<Omit<Execution, "program" | "limits">> & {
  readonly program?: Partial<Program>;
  readonly limits?: Partial<Limits>;
  readonly args?: readonly Json[];
  readonly host?: CapabilityHost;
};

/** An execution of the function `skill` of a program; takes `ctx` where the text mentions it. */
export function anExecution(text: string, overrides: ExecutionOverrides = {}): Execution {
  const { program, limits, args = [], host = silentHost(), ...others } = overrides;
  return {
    program: { text, entry: "skill", strict: true, takesCtx: /\bctx\b/.test(text), ...program },
    calls: [aCall({ args, host })],
    limits: { ...LIMITS, ...limits },
    fresh: false,
    ...others,
  };
}

/** The results of an execution. */
export function execute(sandbox: Sandbox, execution: Execution): Promise<readonly CallResult[]> {
  return sandbox.execute(execution, new AbortController().signal);
}

/** The result of the only call. */
export async function resultOf(
  sandbox: Sandbox,
  text: string,
  overrides: ExecutionOverrides = {},
): Promise<CallResult> {
  const [result] = await execute(sandbox, anExecution(text, overrides));
  if (result === undefined) throw new Error("an execution has a result for every call");
  return result;
}

/** The outcome of the only call. */
export async function outcomeOf(
  sandbox: Sandbox,
  text: string,
  overrides: ExecutionOverrides = {},
): Promise<Outcome> {
  return (await resultOf(sandbox, text, overrides)).trace.outcome;
}

export function statusesOf(results: readonly CallResult[]): readonly string[] {
  return results.map(({ trace }) => trace.outcome.status);
}

/** Nothing will ever come. */
export function silentHost(): CapabilityHost {
  return { next: async () => ({ answers: [], now: NOW }) };
}

/** Never says anything, whatever happens. */
export function deafHost(): CapabilityHost {
  return { next: () => new Promise(() => undefined) };
}

/** Answers every request at once by what it is told; time goes on by a second each time. */
export function answeringHost(
  answer: (request: Request) => Json,
): CapabilityHost & { readonly seen: Request[] } {
  const seen: Request[] = [];
  let now = NOW;
  return {
    seen,
    next: async (requests) => {
      seen.push(...requests);
      now += 1_000;
      return { answers: requests.map((request) => resolved(request, answer(request))), now };
    },
  };
}

export function resolved({ id }: Request, value: Json): Answer {
  return { id, status: "resolved", value };
}

export function rejected({ id }: Request, name: string, message: string): Answer {
  return { id, status: "rejected", name, message, cause: "failed" };
}
