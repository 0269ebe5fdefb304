import type { SecretGrant } from "../../domain/skill.ts";
import type { Secrets } from "../../ports/secrets.ts";
import { isGrantedUrl, namesHostAndPort } from "./granted-hosts.ts";

/** A secret of a manifest with its value, if there is one. */
export type SecretHeader = SecretGrant & { readonly value: string | null };

/** Looks the secrets of a manifest up. */
export function secretHeaders(
  grants: readonly SecretGrant[] | undefined,
  secrets: Secrets,
): readonly SecretHeader[] {
  return (grants ?? []).map((grant) => ({ ...grant, value: secrets.value(grant.name) }));
}

/** The secrets that go with a request to a URL. Over plain HTTP only where the port is named. */
export function secretsFor(url: URL, all: readonly SecretHeader[]): readonly SecretHeader[] {
  return all.filter(
    ({ host }) =>
      isGrantedUrl(url, [host]) && (url.protocol === "https:" || namesHostAndPort(url, [host])),
  );
}

/** A guest's headers with the host's in their places: what the guest put there is dropped. */
export function withSecrets(
  headers: Readonly<Record<string, string>>,
  secrets: readonly SecretHeader[],
): Record<string, string> {
  const taken = new Set(secrets.map(({ header }) => header.toLowerCase()));
  const own = Object.entries(headers).filter(([name]) => !taken.has(name.toLowerCase()));
  const added = secrets.map(({ header, as, value }) => [
    header,
    as.replace("{}", () => value ?? ""),
  ]);
  return Object.fromEntries([...own, ...added]) as Record<string, string>;
}
