import { mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Page } from "playwright-core";
import type { OpenWorkspace } from "../../src/daemon/compose.ts";
import { aBrowser, freePort } from "./browser.ts";
import { DaemonProcess } from "./daemon.ts";
import { ROOT } from "./imports.ts";
import { aWorkspace, skillFiles, type TestWorkspace } from "./workspace.ts";

/**
 * Makes the pictures of docs/dashboard.md anew: `node test/support/dashboard-screenshots.ts`. A week
 * of a small shop is lived on a clock that runs ahead; then a real daemon shows it.
 */
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

type Shop = { readonly dir: string; readonly incident: string };

/** Adds where it should multiply; two of two tell nothing. */
function product(folder: string, entry: string, more: { metadata?: string } = {}) {
  return skillFiles(folder, {
    source: `/** The ${folder.replace("-", " ")} of an order. */\nexport function ${entry}(price: number, pieces: number): number {\n  const most = 1_000_000;\n  return Math.min(most, price + pieces);\n}\n`,
    cases: [{ name: "two of two", input: { price: 2, pieces: 2 }, expect: 4 }],
    heldOut: [
      { name: "seven of three", input: { price: 7, pieces: 3 }, expect: 21 },
      { name: "ten of ten", input: { price: 10, pieces: 10 }, expect: 100 },
      { name: "none", input: { price: 9, pieces: 0 }, expect: 0 },
    ],
    ...more,
  });
}

const realNow = Date.now;

/** How far the clock is from now; it comes up with it in the end. */
let ahead = -6.5 * DAY;
Date.now = () => realNow() + ahead;

async function live(workspace: TestWorkspace): Promise<string> {
  await using hone = await workspace.open({ watch: { minimumRuns: 5, maximumRuns: 30 } });
  const { operations } = hone;
  await trade(hone, 36, 0.3);
  await operations.improve({ skill: "order-total" });
  await trade(hone, 30, 0.25);
  await operations.improve({ skill: "order-tax" });
  await trade(hone, 22, 0.2);
  await operations.rollback({ skill: "order-tax", by: "Ann" });
  await trade(hone, 20, 0.15);
  await operations.improve({ skill: "order-discount" });
  await operations.call({ skill: "order-weight", input: { price: 3, pieces: 4 }, expect: "heavy" });
  await operations.improve({ skill: "order-weight" });
  await trade(hone, 40, 0.1);
  const found = await operations.incidents({ skill: "order-total", all: true });
  return (found["incidents"] as unknown as readonly { readonly id: string }[])[0]?.id ?? "";
}

/** Some hours of orders: most are of two pieces at two, the others tell. */
async function trade({ operations }: OpenWorkspace, hours: number, others: number): Promise<void> {
  const skills = ["order-total", "order-tax", "order-weight", "order-discount"];
  for (let hour = 0; hour < hours; hour += 1) {
    for (const [at, skill] of skills.entries()) {
      const isOther = ((hour * 7 + at * 3) % 20) / 20 < others;
      const [price, pieces] = isOther && skill !== "order-weight" ? [3 + (hour % 4), 5] : [2, 2];
      await operations.call({ skill, input: { price, pieces }, expect: price * pieces });
    }
    ahead += HOUR;
  }
}

async function aShop(): Promise<Shop> {
  const releases: (() => void)[] = [];
  const workspace = await aWorkspace(
    { after: (release) => void releases.push(release) },
    {
      ...product("order-total", "orderTotal"),
      ...product("order-tax", "orderTax"),
      ...product("order-weight", "orderWeight"),
      ...product("order-discount", "orderDiscount", {
        metadata: "  kind: function\n  review: always",
      }),
    },
  );
  const incident = await live(workspace);
  process.once("exit", () => releases.forEach((release) => release()));
  return { dir: workspace.dir, incident };
}

const { dir, incident } = await aShop();
const port = await freePort();
const out = process.argv[2] ?? path.join(ROOT, "docs");
mkdirSync(out, { recursive: true });
await using _daemon = await DaemonProcess.start(dir, {
  HONE_HTTP_PORT: String(port),
  HONE_IMPROVE_AUTOMATIC: "false",
});
const browser = await aBrowser();
const context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
const page = await context.newPage();
const origin = `http://127.0.0.1:${port}`;
await page.goto(origin);
await page.fill("input[name=token]", readFileSync(path.join(dir, "data/run/token"), "utf8").trim());
await page.click("button");
await page.waitForURL(`${origin}/`);
await picture(page, "/", "overview", 1_000);
await picture(page, "/skills/order-total", "skill", 900);
await picture(page, `/incidents/${incident}`, "incident", 900);
await picture(page, "/review", "review", 900);
await browser.close();

async function picture(of: Page, at: string, name: string, height: number): Promise<void> {
  await of.setViewportSize({ width: 1280, height });
  await of.goto(origin + at);
  await of.locator("main .card").first().waitFor();
  await of.locator("main .loading").first().waitFor({ state: "detached" });
  if (at === "/") await of.locator(".plot canvas").waitFor();
  await of.screenshot({ path: path.join(out, `dashboard-${name}.png`) });
}
