import { BlockList, isIPv4, isIPv6 } from "node:net";

type Range = readonly [network: string, prefix: number];

/** What names the credentials of a machine to whoever asks from it; some are public addresses. */
const METADATA = "cloud metadata";

/** IPv4 addresses that are not of the public internet (IANA special-purpose registry, RFC 6890). */
const IPV4: Readonly<Record<string, readonly Range[]>> = {
  [METADATA]: [
    // Most clouds; containers and clusters of AWS; Tencent.
    ["169.254.169.254", 32],
    ["169.254.170.2", 32],
    ["169.254.170.23", 32],
    ["169.254.0.23", 32],
    // Azure, Alibaba, Oracle.
    ["168.63.129.16", 32],
    ["100.100.100.200", 32],
    ["192.0.0.192", 32],
  ],
  loopback: [["127.0.0.0", 8]],
  "link-local": [["169.254.0.0", 16]],
  private: [
    ["10.0.0.0", 8],
    ["172.16.0.0", 12],
    ["192.168.0.0", 16],
    ["100.64.0.0", 10],
  ],
  reserved: [
    ["0.0.0.0", 8],
    ["192.0.0.0", 24],
    ["192.0.2.0", 24],
    ["192.88.99.0", 24],
    ["198.18.0.0", 15],
    ["198.51.100.0", 24],
    ["203.0.113.0", 24],
    ["240.0.0.0", 4],
  ],
  multicast: [["224.0.0.0", 4]],
};

/** The same of IPv6; what is not in `PUBLIC` is reserved anyway. */
const IPV6: Readonly<Record<string, readonly Range[]>> = {
  [METADATA]: [
    // AWS and its clusters, Google, Scaleway, OpenStack.
    ["fd00:ec2::254", 128],
    ["fd00:ec2::23", 128],
    ["fd20:ce::254", 128],
    ["fd00:42::42", 128],
    ["fe80::a9fe:a9fe", 128],
  ],
  loopback: [["::1", 128]],
  "link-local": [
    ["fe80::", 10],
    ["fec0::", 10],
  ],
  private: [
    ["fc00::", 7],
    ["64:ff9b:1::", 48],
  ],
  /** Tunnels whose inner address is somebody's choice: 6to4, Teredo and the rest of 2001::/23. */
  tunnel: [
    ["2002::", 16],
    ["2001::", 23],
  ],
  reserved: [
    ["2001:db8::", 32],
    ["3fff::", 20],
  ],
  multicast: [["ff00::", 8]],
};

const PUBLIC = listOf([["2000::", 3]], "ipv6");
const NAT64 = listOf([["64:ff9b::", 96]], "ipv6");
const MAPPED = listOf([["::ffff:0:0", 96]], "ipv6");
const LISTS4 = listsOf(IPV4, "ipv4");
const LISTS6 = listsOf(IPV6, "ipv6");

/**
 * The kind of an address that skills may not reach unasked: `loopback`, `private`, … ; null for one
 * of the public internet. An IPv4 address inside an IPv6 one (mapped, or by NAT64, RFC 6052) counts
 * as what it is.
 */
export function forbiddenKind(address: string): string | null {
  const bare = address.replace(/%.*$/s, "");
  if (isIPv4(bare)) return kindIn(LISTS4, bare, "ipv4");
  if (!isIPv6(bare)) return "no address";
  if (NAT64.check(bare, "ipv6") || MAPPED.check(bare, "ipv6")) {
    return kindIn(LISTS4, innerAddress(bare), "ipv4");
  }
  const known = kindIn(LISTS6, bare, "ipv6");
  return known ?? (PUBLIC.check(bare, "ipv6") ? null : "reserved");
}

/** The last 32 bits, as IPv4 writes them. All before them is a prefix, and has the only `::`. */
function innerAddress(address: string): string {
  const { hostname } = new URL(`http://[${address}]`);
  const [, tail = ""] = hostname.slice(1, -1).split("::");
  const [high = 0, low = 0] = ["0", "0", ...tail.split(":")]
    .slice(-2)
    .map((group) => Number.parseInt(group || "0", 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}

/** Whether an address is one of those that name credentials: no name may lead there. */
export function isMetadata(address: string): boolean {
  return forbiddenKind(address) === METADATA;
}

type Family = "ipv4" | "ipv6";

function kindIn(
  lists: readonly (readonly [string, BlockList])[],
  address: string,
  family: Family,
): string | null {
  return lists.find(([, list]) => list.check(address, family))?.[0] ?? null;
}

function listsOf(
  ranges: Readonly<Record<string, readonly Range[]>>,
  family: Family,
): (readonly [string, BlockList])[] {
  return Object.entries(ranges).map(([kind, some]) => [kind, listOf(some, family)] as const);
}

function listOf(ranges: readonly Range[], family: Family): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of ranges) list.addSubnet(network, prefix, family);
  return list;
}
