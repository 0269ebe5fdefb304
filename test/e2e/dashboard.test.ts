import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { after, before, suite, test } from "node:test";
import type { Browser, BrowserContext, Page } from "playwright-core";
import {
  aBrowser,
  assertFits,
  complaintsOf,
  freePort,
  seriousFindings,
  withBrowser,
} from "../support/browser.ts";
import { DaemonProcess } from "../support/daemon.ts";
import { dashboardWorkspace, HOSTILE } from "../support/dashboard-workspace.ts";
import type { TestWorkspace } from "../support/workspace.ts";

const WIDTHS = { wide: { width: 1280, height: 900 }, narrow: { width: 390, height: 844 } };

type Incident = { readonly id: string; readonly skill: string };

withBrowser(() => {
  suite("the dashboard, of a real daemon, in Chromium", { timeout: 120_000 }, () => {
    const releases: (() => void)[] = [];
    let workspace: TestWorkspace;
    let daemon: DaemonProcess;
    let browser: Browser;
    let context: BrowserContext;
    let origin = "";
    let incidents: readonly Incident[] = [];

    const start = async (port: string): Promise<DaemonProcess> =>
      await DaemonProcess.start(workspace.dir, {
        HONE_HTTP_PORT: port,
        HONE_IMPROVE_AUTOMATIC: "false",
        HONE_IMPROVE_BUDGET_MS: "2000",
      });

    before(async () => {
      workspace = await dashboardWorkspace({ after: (release) => void releases.push(release) });
      const port = String(await freePort());
      origin = `http://127.0.0.1:${port}`;
      daemon = await start(port);
      const found = await daemon.client.incidents({ all: true });
      incidents = found["incidents"] as unknown as readonly Incident[];
      browser = await aBrowser();
      context = await browser.newContext({ viewport: WIDTHS.wide });
      await logIn(await context.newPage());
    });

    after(async () => {
      await browser?.close();
      await daemon?.[Symbol.asyncDispose]();
      for (const release of releases) release();
    });

    /** Shows the token at the login page, as a person does who has no link. */
    async function logIn(page: Page): Promise<void> {
      await page.goto(`${origin}/`);
      const token = readFileSync(path.join(workspace.dir, "data/run/token"), "utf8").trim();
      await page.fill("input[name=token]", token);
      await page.click("button");
      await page.waitForURL(`${origin}/`);
      await page.close();
    }

    function incidentOf(skill: string): string {
      return incidents.find((one) => one.skill === skill)?.id ?? "none";
    }

    /** Every page, with what must stand on it when its data is there. */
    function pages(): readonly (readonly [string, string])[] {
      return [
        ["/", "What was refused, and why"],
        ["/skills", "roof-area"],
        ["/skills/floor-area", "What changed"],
        ["/incidents", "Not repaired yet"],
        [`/incidents/${incidentOf("floor-area")}`, "What came of it"],
        [`/incidents/${incidentOf("greeting")}`, "No repair was tried yet"],
        ["/review", "this skill is protected"],
        ["/live", "incident.opened"],
      ];
    }

    for (const [name, viewport] of Object.entries(WIDTHS)) {
      for (const colorScheme of ["light", "dark"] as const) {
        test(`every page shows its data, fits and complains of nothing: ${name}, ${colorScheme}`, async () => {
          const page = await context.newPage();
          await page.setViewportSize(viewport);
          await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
          const complaints = complaintsOf(page, origin);
          const findings: string[] = [];
          for (const [at, said] of pages()) {
            await page.goto(origin + at);
            await page.locator("main").getByText(said, { exact: false }).first().waitFor();
            if (at === "/") await page.locator(".plot canvas").waitFor();
            await assertFits(page);
            // The same in each window: what differs is the colours.
            const isAsked = (name === "wide") === (colorScheme === "light");
            if (isAsked)
              findings.push(...(await seriousFindings(page)).map((each) => `${at} ${each}`));
          }
          assert.deepEqual(findings, []);
          assert.deepEqual(complaints, []);
          await page.close();
        });
      }
    }

    test("what a skill says stays text", async () => {
      const page = await context.newPage();

      await page.goto(`${origin}/incidents/${incidentOf("greeting")}`);
      await page.locator("h1").waitFor();

      assert.match((await page.locator("h1").textContent()) ?? "", /<script>document\.title=2/);
      assert.equal(await page.locator("main img, main script").count(), 0);
      assert.doesNotMatch(await page.title(), /[12]/);
      assert.ok((await page.locator("main").textContent())?.includes(HOSTILE.slice(0, 20)));
      await page.close();
    });

    test("the keys lead everywhere", async () => {
      const page = await context.newPage();
      await page.goto(`${origin}/`);
      await page.locator("main [data-row]").first().waitFor();

      await page.keyboard.press("Tab");
      assert.equal(await focused(page), "Skip to the content");
      await page.keyboard.press("Enter");
      await page.keyboard.press("?");
      await page.getByRole("dialog").getByText("go to Skills").waitFor();
      await page.keyboard.press("Escape");
      await page.keyboard.press("g");
      await page.keyboard.press("s");
      await page.waitForURL(`${origin}/skills`);
      await page.locator("main [data-row]").first().waitFor();
      await page.keyboard.press("/");
      await page.keyboard.type("wall");
      await page.getByText("1 of 5").waitFor();
      await page.keyboard.press("Escape");
      await page.keyboard.press("j");
      assert.equal(await focused(page), "wall-area");
      await page.keyboard.press("Enter");
      await page.waitForURL(`${origin}/skills/wall-area`);
      await page.keyboard.press("g");
      await page.keyboard.press("r");
      await page.waitForURL(`${origin}/review`);
      await page.getByRole("button", { name: "Approve" }).waitFor();
      await page.keyboard.press("a");
      await page.getByRole("dialog").getByText("Approve the change of roof-area?").waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "hidden" });
      const { waiting } = (await daemon.client.status()) as unknown as { waiting: unknown[] };
      assert.equal(waiting.length, 1, "Escape approves nothing");
      await page.close();
    });

    test("the reader chooses the colours, and the choice stays", async () => {
      const page = await context.newPage();
      const background = async (): Promise<unknown> =>
        await page.evaluate("getComputedStyle(document.documentElement).backgroundColor");
      await page.goto(`${origin}/live`);
      const before = await background();

      await page.getByRole("button", { name: "system" }).click();
      await page.getByRole("button", { name: "light" }).click();
      await page.reload();
      await page.getByRole("button", { name: "dark" }).waitFor();

      assert.notEqual(await background(), before);
      await page.getByRole("button", { name: "dark" }).click();
      await page.close();
    });

    test("what happens is seen without a reload, a repair while it runs among it", async () => {
      const page = await context.newPage();
      await page.goto(`${origin}/incidents/${incidentOf("greeting")}`);

      await page.getByRole("button", { name: "Try a repair now" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Try now" }).click();
      await page.getByLabel("Repairs under way").waitFor();
      await page.getByLabel("Repairs under way").waitFor({ state: "hidden" });

      await page.getByText(/programs? tried in/).waitFor();
      await page.goto(`${origin}/live`);
      await page.getByText("improve.started").first().waitFor();
      await daemon.client.call({ skill: "floor-area", input: { width: 3, height: 3 }, expect: 1 });
      await page.getByText("floor-area returned 9").first().waitFor();
      await page.close();
    });

    test("a claim is told as a claim: who says what, and that it is no evidence", async () => {
      const page = await context.newPage();
      const { run } = await daemon.client.call({ skill: "greeting", input: { name: "Cy" } });
      const told = await daemon.client.report({
        run: String(run),
        expect: HOSTILE,
        reason: "our style guide",
        by: "agent-7",
      });

      await page.goto(`${origin}/incidents/${String(told["incident"])}`);
      await page.getByText("What is claimed", { exact: true }).waitFor();

      const said = (await page.locator("main").textContent()) ?? "";
      assert.match(said, /words, not evidenceagent-7 \(api\).*onerror.*our style guide/);
      assert.equal(await page.locator("main img, main script").count(), 0);
      await page.goto(`${origin}/incidents`);
      await page.getByText("claimed", { exact: true }).waitFor();
      await page.close();
    });

    test("the login page looks as the dashboard does, and complains of nothing", async () => {
      const stranger = await browser.newContext({ viewport: WIDTHS.narrow });
      const page = await stranger.newPage();
      const complaints = complaintsOf(page, origin);

      await page.goto(`${origin}/`);

      assert.equal(new URL(page.url()).pathname, "/login");
      const radius = await page
        .locator("form")
        .evaluate("(form) => getComputedStyle(form).borderRadius");
      assert.notEqual(radius, "0px");
      await assertFits(page);
      assert.deepEqual(await seriousFindings(page), []);
      assert.deepEqual(complaints, []);
      await stranger.close();
    });

    test("what cannot be shown says why, and what helps", async () => {
      const page = await context.newPage();
      await page.goto(`${origin}/incidents/inci_none`);
      await page.getByRole("alert").getByText("there is no incident inci_none").waitFor();
      await page.goto(`${origin}/skills/none`);
      await page.getByRole("alert").first().waitFor();
      await page.goto(`${origin}/skills`);
      await page.getByText("roof-area").first().waitFor();

      await context.clearCookies();
      await page.reload();

      await page.waitForURL(`${origin}/login`);
      await logIn(page);
    });

    test("repairs are paused and go on, a version is pinned, and its evidence is whole", async () => {
      const page = await context.newPage();
      const answer = async (button: string): Promise<void> => {
        await page.getByRole("dialog").getByRole("button", { name: button }).click();
      };
      await page.goto(`${origin}/`);
      await page.getByRole("button", { name: "Pause repairs" }).click();
      await answer("Pause");
      await page.getByText(/repairs are paused by/).waitFor();
      await page.getByRole("button", { name: "Let repairs go on" }).click();
      await answer("Go on");
      await page.getByText(/repairs are paused by/).waitFor({ state: "hidden" });

      await page.goto(`${origin}/skills/floor-area`);
      await page.locator(".timeline summary").first().click();
      await page.getByText("evidence is whole").waitFor();
      await page.getByRole("button", { name: "Pin this version" }).first().click();
      await answer("Pin");
      await page.getByText(/^Pinned at/).waitFor();
      await page.getByRole("button", { name: "Unpin" }).click();
      await answer("Unpin");
      await page.getByText(/^Pinned at/).waitFor({ state: "hidden" });
      assert.deepEqual(await seriousFindings(page), []);
      await page.close();
    });

    test("a person approves by clicking, and it waits no more", async () => {
      const page = await context.newPage();
      const head = workspace.git("rev-parse", "hone");
      await page.goto(`${origin}/review`);

      await page.getByLabel("Waiting changes").getByText("roof-area").click();
      await page.getByRole("button", { name: "Approve" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Approve" }).click();
      await page.getByText("roof-area: the change is released.").waitFor();
      await page.getByLabel("Waiting changes").getByText("roof-area").waitFor({ state: "hidden" });

      assert.notEqual(workspace.git("rev-parse", "hone"), head);
      assert.match(
        workspace.git("show", "--no-patch", "--format=%B", "hone"),
        /^Hone-Approved-By: /m,
      );
      await page.close();
    });

    test("a person takes a release back by clicking", async () => {
      const page = await context.newPage();
      const released = workspace.git("rev-parse", "hone");
      await page.goto(`${origin}/skills/roof-area`);

      await page.getByRole("button", { name: "Roll back" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Roll back" }).click();
      await page.getByText(/roof-area was taken back by [0-9a-f]{8}/).waitFor();

      const message = workspace.git("show", "--no-patch", "--format=%B", "hone");
      assert.match(message, new RegExp(`This reverts commit ${released}\\.`));
      await page.locator(".timeline").getByText("rolled back").first().waitFor();
      await page.close();
    });

    test("a daemon that ends is missed, and one that comes back is found", async () => {
      const page = await context.newPage();
      await page.goto(`${origin}/live`);
      await page.getByText("incident.opened").first().waitFor();

      await daemon.stop();
      await page.getByText("disconnected").waitFor();
      await page.getByText("The daemon cannot be reached").waitFor();
      assert.ok((await page.getByText("incident.opened").count()) > 0, "what was shown stays");
      daemon = await start(new URL(origin).port);

      await page.getByText("live", { exact: true }).waitFor();
      await page.close();
    });
  });
});

async function focused(page: Page): Promise<unknown> {
  return await page.evaluate("document.activeElement?.textContent?.trim()");
}
