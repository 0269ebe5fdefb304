import { createCapabilityHosts } from "../adapters/capabilities/capability-hosts.ts";
import { createMinimise } from "../adapters/fast-check/fast-check-minimise.ts";
import { createIsolateSandbox } from "../adapters/isolate/isolate-sandbox.ts";
import { createEditor } from "../adapters/morph/process-editor.ts";
import { readSecrets } from "../adapters/secrets/read-secrets.ts";
import { createWeb } from "../adapters/undici/undici-web.ts";
import { zodSchemaCheck } from "../adapters/zod/zod-schema-check.ts";
import type { Config } from "../config.ts";
import { examine, type ExaminePorts } from "../examine/examine.ts";
import type { CapabilityHosts } from "../ports/capabilities.ts";
import type { Editor } from "../ports/editor.ts";
import type { WatchedModel } from "../ports/model.ts";
import type { Sandbox } from "../ports/sandbox.ts";
import type { House, Workshop } from "../ports/house.ts";
import type { Store } from "../ports/store.ts";
import { cachedInspect } from "./repairs/cached-inspect.ts";
import { secretsIn } from "./compose-checks.ts";
import { houseModel } from "./compose-model.ts";
import type { Tracing } from "./compose-telemetry.ts";
import type { Events } from "./events.ts";
import { newId } from "./new-id.ts";
import { remediedInspect } from "./repairs/remedied-inspect.ts";
import { judgingRepairs } from "../proposers/model/repair-judge.ts";
import { rewardsOf, type Rewards } from "./rewards.ts";
import { sha256 } from "./sha256.ts";

/** The adapters that run and edit programs. */
export type Bench = {
  readonly sandbox: Sandbox;
  readonly hosts: CapabilityHosts;
  readonly editor: Editor;
  readonly inspect: Editor["inspect"];
  readonly rewards: Rewards;
  readonly secretsOf: House["secretsOf"];
  readonly examining: ExaminePorts;
  /** Null: none is configured. */
  readonly model: WatchedModel | null;
};

/** Makes them; `stack` disposes of them. Without a folder nothing of a workspace is reached. */
export async function benchOf({
  dir,
  config,
  store,
  stack,
  tell,
  tracing = null,
}: {
  readonly dir: string | null;
  readonly config: Config;
  readonly store: Store | null;
  readonly stack: AsyncDisposableStack;
  readonly tell: Events["tell"] | null;
  readonly tracing?: Tracing | null;
}): Promise<Bench> {
  const sandbox = stack.use(createIsolateSandbox(config.guests));
  const editor = stack.use(createEditor());
  const { fetch } = stack.use(createWeb());
  const secrets = readSecrets({ env: process.env, dir, file: config.secrets.file });
  const asked = stack.use(houseModel(config.model, { dir, store, tell }));
  const model = asked === null ? null : (tracing?.model(asked) ?? asked);
  const hosts = createCapabilityHosts({ store, now: Date.now, fetch, secrets, model });
  const inspect: Editor["inspect"] =
    store === null
      ? (source, signal) => editor.inspect(source, signal)
      : cachedInspect(remediedInspect(editor), store, sha256);
  const known = await rewardsOf(dir, { inspect, sandbox, check: zodSchemaCheck });
  const rewards = judgingRepairs(known, { editor, sandbox, hosts });
  const unrecorded = dir === null ? "closed" : "reading";
  const examining = { sandbox, hosts, judgeCase: rewards.judgeCase, unrecorded } as const;
  const secretsOf = secretsIn(secrets);
  return { sandbox, hosts, editor, inspect, rewards, secretsOf, examining, model };
}

/** What of the bench a repair works with. */
export function workshopOf(bench: Bench): Omit<Workshop, "gates" | "proposers"> {
  const { sandbox, hosts, editor, rewards, examining } = bench;
  const closed = { ...examining, unrecorded: "closed" as const };
  const minimise = createMinimise(async (skill, of, signal) => {
    const { judged } = await examine({ skill, cases: [of] }, closed, signal);
    const [one] = judged;
    if (one === undefined) throw new Error("one case gives one judgement");
    return one;
  });
  const { judgeCase } = rewards;
  return { sandbox, hosts, editor, judgeCase, minimise, now: Date.now, newId };
}
