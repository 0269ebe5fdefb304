/**
 * Whether a key falls into a share of all keys, by its hash (FNV-1a, 32 bit): decided before anyone
 * looks, and the same each time.
 */
export function isInShare(key: string, share: number): boolean {
  return shareOf(key) < share;
}

/** Where a key stands among all keys, by the same hash: in [0,1). */
export function shareOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < key.length; at += 1) {
    hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193) >>> 0;
  }
  return hash / 2 ** 32;
}
