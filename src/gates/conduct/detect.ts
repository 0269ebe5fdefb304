import type { Detected, Detector, Scene } from "./scene.ts";

/** What the detectors find: the first that is beyond doubt, else the first at all, else null. */
export async function detect(
  detectors: readonly Detector[],
  scene: Scene,
): Promise<Detected | null> {
  let unsure: Detected | null = null;
  for (const detector of detectors) {
    const found = await detector(scene);
    if (found !== null && !found.isUnsure) return found;
    unsure ??= found;
  }
  return unsure;
}
