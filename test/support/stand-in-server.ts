import { createServer } from "node:http";
import { spawn } from "node:child_process";

/**
 * A program that behaves as a model server does while it is started, supervised and ended:
 * `stand-in-server.ts PORT [loading-ms] [stubborn] [child] [dies-after-ms=N]`. It is no model.
 */
const [port, loadingMs = "0", ...traits] = process.argv.slice(2);
const readyAt = Date.now() + Number(loadingMs);

if (traits.includes("stubborn")) process.on("SIGTERM", () => undefined);
if (traits.includes("child")) spawn("sleep", ["3600"], { stdio: "ignore" });
const dies = traits.find((trait) => trait.startsWith("dies-after-ms="));
if (dies !== undefined) setTimeout(() => process.exit(7), Number(dies.split("=")[1]));

createServer((request, response) => {
  const isReady = Date.now() >= readyAt;
  response.writeHead(isReady ? 200 : 503, { "content-type": "application/json" });
  response.end(request.url === "/v1/models" ? '{"data":[{"id":"stand-in"}]}' : "{}");
}).listen(Number(port), "127.0.0.1", () => console.log("loading weights"));
