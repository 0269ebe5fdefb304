import assert from "node:assert/strict";
import axe from "axe-core";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { once } from "node:events";
import { chromium, type Browser, type Page } from "playwright-core";

const CHROMIUM = process.env["HONE_CHROMIUM"] ?? "/usr/bin/chromium";

/**
 * Runs tests that need a browser, Debian's Chromium. Where there is none they are left out, unless
 * HONE_REQUIRE_BROWSER says that there must be one.
 */
export function withBrowser(tests: () => void): void {
  if (existsSync(CHROMIUM)) return tests();
  if (process.env["HONE_REQUIRE_BROWSER"] === "1") {
    test("a browser is there", () => {
      throw new Error(`there is no ${CHROMIUM}`);
    });
  }
}

export async function aBrowser(): Promise<Browser> {
  // As root it runs only without its own sandbox; it sees nothing but our daemon.
  const args = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"];
  return await chromium.launch({ executablePath: CHROMIUM, args });
}

/** What a page said and asked for that it should not have. */
export type Complaints = readonly string[];

/** Collects what is said on the console, thrown, and asked of anybody but `origin`. */
export function complaintsOf(page: Page, origin: string): Complaints {
  const said: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) said.push(message.text());
  });
  page.on("pageerror", (error) => said.push(error.message));
  page.on("request", (request) => {
    if (!request.url().startsWith(`${origin}/`)) said.push(`asked ${request.url()}`);
  });
  return said;
}

type Finding = {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
};

/** What axe finds on a page that is serious or critical, a line each. */
export async function seriousFindings(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const found = await page.evaluate<readonly Finding[]>(
    "axe.run({ resultTypes: ['violations'], preload: false }).then(({ violations }) => violations)",
  );
  return found
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)}: ${failureSummary}`),
    );
}

/** Throws where a page is wider than the window. */
export async function assertFits(page: Page): Promise<void> {
  const [wide, window] = await page.evaluate<readonly [number, number]>(
    "[document.documentElement.scrollWidth, innerWidth]",
  );
  assert.ok(wide <= window, `${page.url()} is ${wide} px wide in a window of ${window}`);
}

/** A port that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
