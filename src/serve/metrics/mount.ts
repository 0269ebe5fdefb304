import type { Mount } from "../http/mount.ts";
import type { Metrics } from "./metrics.ts";

/** `/metrics`, once there are metrics. Who may read it, the server's guards decide. */
export function metricsMount(metrics: Promise<Pick<Metrics, "read">>): Mount {
  return (app) => {
    app.get("/metrics", async (context) => {
      const { text, contentType } = await (await metrics).read();
      return context.body(text, 200, { "content-type": contentType, "cache-control": "no-store" });
    });
  };
}
