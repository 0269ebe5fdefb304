/**
 * Whether a key falls into a share of all keys, by its hash (FNV-1a, 32 bit): decided before anyone
 * looks, and the same each time.
 */
export function isInShare(key: string, share: number): boolean {
  return shareOf(key) < share;
}

/** Where a key stands among all keys, by the same hash: in [0,1). */
export function shareOf(key: string): number {
  return hashOf(key) / 2 ** 32;
}

/**
 * The same for keys that differ in their last characters only, as numbered ones do: the hash's bits
 * are mixed once more, by the finaliser of MurmurHash3.
 */
export function isInEvenShare(key: string, share: number): boolean {
  let hash = hashOf(key);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32 < share;
}

function hashOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < key.length; at += 1) {
    hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193) >>> 0;
  }
  return hash;
}
