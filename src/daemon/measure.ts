import { statSync } from "node:fs";
import path from "node:path";
import type { Config } from "../config.ts";
import type { PoolState } from "../ports/sandbox.ts";
import type { Mount } from "../serve/http/mount.ts";
import type { GaugeSources } from "../serve/metrics/gauges.ts";
import type { OpenWorkspace } from "./compose.ts";
import { pauseIn } from "./spending.ts";

/**
 * Begins to count what happens in a workspace, and serves the counts; null where that is off. What
 * it needs is loaded beside the start of the daemon, which does not wait for it.
 */
export function measure(workspace: OpenWorkspace, version: string): Mount | null {
  const { metrics: isOn, skills: mostSkills } = workspace.config.telemetry;
  if (!isOn) return null;
  const started = start(workspace, { version, mostSkills });
  return (app) => {
    app.get("/metrics", async (context) => {
      const { text, contentType } = await (await started).read();
      return context.body(text, 200, { "content-type": contentType, "cache-control": "no-store" });
    });
  };
}
