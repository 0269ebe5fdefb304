import type { Capabilities, Limits, Manifest, SecretGrant } from "./skill.ts";

/** What of a version decides about its reach: its manifest, and the hosts that its source names. */
export type Reach = {
  readonly manifest: Pick<Manifest, "capabilities" | "limits">;
  readonly source: string;
};

/**
 * What a version may do, or asks for, that the one before did not (`+`) or does not any more (`-`),
 * each in a few words; empty where nothing changes. Limits count where they are wider.
 */
export function capabilityDiff(before: Reach, after: Reach): readonly string[] {
  const [was, is] = [before.manifest, after.manifest];
  return [
    ...namesChanged("fetch", was.capabilities.fetch, is.capabilities.fetch),
    ...namesChanged("skill", was.capabilities.skills, is.capabilities.skills),
    ...namesChanged("secret", secretsOf(was.capabilities), secretsOf(is.capabilities)),
    ...namesChanged("capability", flagsOf(was.capabilities), flagsOf(is.capabilities)),
    ...widerLimits(was.limits, is.limits),
    ...hostsIn(after.source)
      .filter((host) => !hostsIn(before.source).includes(host))
      .map((host) => `+host ${host} in the code`),
  ];
}

function namesChanged(
  kind: string,
  before: readonly string[] = [],
  after: readonly string[] = [],
): string[] {
  return [
    ...after.filter((name) => !before.includes(name)).map((name) => `+${kind} ${name}`),
    ...before.filter((name) => !after.includes(name)).map((name) => `-${kind} ${name}`),
  ];
}

function secretsOf({ secrets = [] }: Capabilities): string[] {
  return secrets.map(({ name, host, header, as }: SecretGrant) =>
    as === "{}" ? `${name} for ${host} in ${header}` : `${name} for ${host} in ${header}: ${as}`,
  );
}

/** Capabilities that are granted or not, and `fetch` or `skills` without any name. */
function flagsOf({ fetch, skills, kv, clock, random, log, model }: Capabilities): string[] {
  const flags = {
    fetch: fetch?.length === 0,
    skills: skills?.length === 0,
    kv,
    clock,
    random,
    log,
    model,
  };
  return Object.entries(flags).flatMap(([name, on]) => (on === true ? [name] : []));
}

function widerLimits(before: Limits, after: Limits): string[] {
  const names = ["timeoutMs", "memoryMb", "outputBytes"] as const;
  return names
    .filter((name) => after[name] > before[name])
    .map((name) => `+${name} ${before[name]} -> ${after[name]}`);
}

/** Hosts in the URLs that a source writes down, in the order of writing. */
function hostsIn(source: string): string[] {
  const found = [...source.matchAll(/\bhttps?:\/\/([A-Za-z0-9.-]+(?::\d+)?)/g)];
  return [...new Set(found.map(([, host = ""]) => host.toLowerCase().replace(/\.+$/, "")))];
}
