import type { CapabilityHosts } from "../../ports/capabilities.ts";
import type { Model } from "../../ports/model.ts";
import type { Secrets } from "../../ports/secrets.ts";
import type { Store } from "../../ports/store.ts";
import type { WebFetch } from "../../ports/web.ts";
import type { KvState } from "./kv-requests.ts";
import { askModelFor } from "./ask-model.ts";
import { FETCH_BOUNDS } from "./live-fetch.ts";
import { LiveHost } from "./live-host.ts";
import { Reading } from "./reading.ts";
import { RecentAnswers } from "./recent-answers.ts";
import { ReplayHost } from "./replay-host.ts";
import { secretHeaders } from "./secret-headers.ts";
import { TableHost } from "./table-host.ts";

/** What the hosts stand on: the ledger's key-value state, the clock, the web, and secrets for it. */
export type CapabilityPorts = {
  /** Null: there is no ledger, and every key is empty. */
  readonly store: Pick<Store, "kvGet" | "kvSet" | "kvDelete" | "kvList"> | null;
  readonly now: () => number;
  /** Absent: nobody is asked. */
  readonly fetch?: WebFetch;
  /** Absent: none has a value. */
  readonly secrets?: Secrets;
  /** Absent or null: there is none. */
  readonly model?: Pick<Model, "complete"> | null;
};

const NO_WEB: WebFetch = async () => {
  throw new TypeError("fetch failed: there is no web here");
};

const NO_SECRETS: Secrets = { value: () => null };

/** Makes the hosts that answer a guest: the live world, a recorded run, a case's world. */
export function createCapabilityHosts({
  store,
  now,
  fetch = NO_WEB,
  secrets = NO_SECRETS,
  model = null,
}: CapabilityPorts): CapabilityHosts {
  const recent = new RecentAnswers(() => performance.now());
  return {
    live: (granted, skill, callSkill) =>
      new LiveHost(granted, {
        kv: kvOf(store, skill),
        callSkill,
        fetch,
        secrets,
        now,
        askModel: askModelFor(model, skill),
      }),
    replay: (trace) => new ReplayHost(trace),
    table: (world, granted, unrecorded) => {
      const headers = secretHeaders(granted.secrets, secrets);
      const bounds = { granted: granted.fetch ?? [], fetch, secrets: headers, ...FETCH_BOUNDS };
      const reading = unrecorded === "reading" ? new Reading(bounds, recent) : null;
      const askModel = reading === null ? null : askModelFor(model, "a candidate");
      return new TableHost(world, granted, reading, askModel);
    },
  };
}

function kvOf(store: CapabilityPorts["store"], skill: string): KvState {
  return {
    get: (key) => store?.kvGet(skill, key),
    set: (key, value) => store?.kvSet(skill, key, value),
    delete: (key) => store?.kvDelete(skill, key),
    list: (prefix) => store?.kvList(skill, prefix) ?? [],
  };
}
