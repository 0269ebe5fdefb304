/**
 * Whether a manifest's host list grants a URL. An entry is `host`, `host:port` or `*.domain` (any
 * host below the domain, not the domain itself), in each case also with a port. Without a port
 * only the default port of http or https is granted.
 */
export function isGrantedUrl(url: URL, granted: readonly string[]): boolean {
  if (url.protocol !== "http:" && url.protocol !== "https:") return false;
  return granted.some((entry) =>
    entry.startsWith("*.")
      ? isBelow(url, entry.slice(2))
      : hostOf(url.protocol, entry) === url.host,
  );
}

/** Whether an entry names exactly the host of a URL together with its port: no wildcard, no default. */
export function namesHostAndPort(url: URL, granted: readonly string[]): boolean {
  return granted.some((entry) => {
    const port = /:(\d{1,5})$/.exec(entry)?.[1];
    if (port === undefined || entry.startsWith("*")) return false;
    const usual = url.protocol === "https:" ? "443" : "80";
    return Number(port) === Number(url.port || usual) && isGrantedUrl(url, [entry]);
  });
}

function isBelow(url: URL, domain: string): boolean {
  const host = hostOf(url.protocol, domain);
  return host !== null && url.host.endsWith(`.${host}`);
}

/** The entry as URL would write it: lower case, punycode, no default port; null for nonsense. */
function hostOf(protocol: string, entry: string): string | null {
  const parsed = URL.parse(`${protocol}//${entry}`);
  if (parsed === null || parsed.href !== `${protocol}//${parsed.host}/`) return null;
  return parsed.host;
}
