import type { BrowserContext } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { noBrowser } from "../../scripts/browser.mjs";
import { HOUR_MS, SECOND_MS } from "../../src/kit/clock.js";
import { manualClock } from "../../src/kit/manual-clock.js";
import { logJob } from "../../src/services/datasets/store/log-job.js";
import { type Simulator, startSimulator } from "../../src/simulator/simulator.js";
import { accessibilityViolations, violationsInBothSchemes } from "../support/accessibility.js";
import { keyOn } from "../support/callers.js";
import { type ConsoleStack, startConsole } from "../support/console.js";
import { runJob } from "../support/run-job.js";
import { json, NOON } from "../support/stack.js";

/* The brief: claims with their evidence, the quota, and the message shown when there is no text. */

const BRIEF = "/api/intelligence/v1/get-country-intel-brief";

describe.skipIf(noBrowser !== undefined)(`the brief page${noBrowser ? ` (${noBrowser})` : ""}`, () => {
  let served: ConsoleStack;
  beforeAll(async () => {
    served = await startConsole({ filled: ["country-evidence"], env: { VIGIL_LIMITS: "brief-pro-day=2" } });
    await runJob(served.stack, logJob);
  }, 120_000);
  afterAll(() => served.close());

  /** Signs the browser in with a key on the Pro plan instead of the owner's. */
  async function signInOnPro(context: BrowserContext): Promise<void> {
    const key = await keyOn(served.stack, "pro");
    const answer = await context.request.post(`${served.url}/api/account/v1/sign-in`, { data: { key } });
    expect(answer.ok()).toBe(true);
  }

  test("reads a brief only on request, and shows beside each claim the evidence that it cites", async () => {
    const { page, faults, close } = await served.open("/brief");
    const { evidence, sources } = json(await served.stack.get(`${BRIEF}?country_code=UA`)) as {
      readonly evidence: readonly { readonly id: string; readonly factText: string; readonly url: string }[];
      readonly sources: readonly { readonly title: string; readonly url: string }[];
    };
    const calls: string[] = [];
    page.on("request", (request) => request.url().includes(BRIEF) && calls.push(request.url()));
    await page.getByLabel("Country").selectOption({ label: "Ukraine" });
    expect(calls).toEqual([]);
    await page.getByRole("button", { name: "Read the brief" }).click();
    await page.getByRole("heading", { name: "Situation" }).waitFor();
    expect(new URL(page.url()).search).toBe("?country=UA");
    expect(calls).toHaveLength(1);

    const claim = page.locator(".claim", { hasText: "[E1]" }).first();
    const [first] = evidence;
    expect(await claim.locator(".citations li").first().textContent()).toContain(first?.factText);
    expect(await claim.locator(".citations a").first().getAttribute("href")).toBe(first?.url);
    const headline = page.locator(".citations li", { hasText: "[1]" }).first();
    expect(await headline.locator("a").textContent()).toBe(sources[0]?.title);
    expect(await headline.locator("a").getAttribute("href")).toBe(sources[0]?.url);
    expect(await page.getByText("without a model").isVisible()).toBe(true);
    expect(await page.getByRole("link", { name: "Watch", exact: true }).count()).toBe(0);
    expect(faults).toEqual([]);
    await close();
  });

  test("shows how many briefs are left today and when the quota resets, even if none is left", async () => {
    const { page, close } = await served.open("/brief", { hasOwnSession: true });
    await signInOnPro(page.context());
    await page.goto(`${served.url}/brief?country=UA`);
    await page.getByText("1 of 2 briefs left today; the quota resets at 2026-11-19 00:00 UTC").waitFor();
    await page.getByRole("button", { name: "Read the brief" }).click();
    await page.getByText("0 of 2 briefs left today").waitFor();
    // After a repeated call the page keeps the displayed text, and says why there is no newer text.
    await page.getByRole("button", { name: "Read the brief" }).click();
    await page.getByText("Daily quota reached. It resets at 2026-11-19 00:00 UTC.").waitFor();
    expect(await page.getByRole("heading", { name: "Situation" }).isVisible()).toBe(true);
    await page.goto(`${served.url}/brief?country=SD`);
    await expect.poll(() => page.getByRole("alert").textContent()).toContain("Daily quota reached.");
    await close();
  });

  test("says that briefs are not limited for a key without a daily quota", async () => {
    const { page, faults, close } = await served.open("/brief");
    await page.getByText("Briefs are not limited for this key.").waitFor();
    expect(faults).toEqual([]);
    await close();
  });

  test("does not present a missing text as a quiet situation, and says that a brief has no history", async () => {
    const { page, faults, close } = await served.open("/brief?country=NR&at=2026-11-18T06:00:00.000Z");
    await page.getByText("There is no brief text for Nauru.").waitFor();
    expect(await page.getByText("This does not mean that nothing is happening there.").isVisible()).toBe(true);
    expect(await page.getByText("has no history").isVisible()).toBe(true);
    expect(faults).toEqual([]);
    await close();
  });

  test("offers to read the brief again when there is newer evidence, but does not read it automatically", async () => {
    const { page, faults, close } = await served.open("/brief?country=UA");
    await page.getByRole("heading", { name: "Situation" }).waitFor();
    await page.getByText("Live", { exact: true }).waitFor();
    const calls: string[] = [];
    page.on("request", (request) => request.url().includes(BRIEF) && calls.push(request.url()));
    served.stack.clock.advance(HOUR_MS);
    await served.stack.run("air-quality");
    expect((await served.stack.runAlone("country-evidence")).outcome).toBe("published");
    await runJob(served.stack, logJob);
    const button = page.getByRole("button", { name: "Read it again" });
    await expect
      .poll(() => {
        // The stream checks its log at intervals on the service's clock, so the test advances the clock.
        served.stack.clock.advance(SECOND_MS);
        return button.isVisible();
      })
      .toBe(true);
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(calls).toEqual([]);
    await button.click();
    await button.waitFor({ state: "detached" });
    expect(faults).toEqual([]);
    await close();
  });

  test("has no violation of WCAG 2.2 AA and fits a narrow screen", async () => {
    const { page, faults, close } = await served.open("/brief?country=UA", { viewport: { width: 360, height: 800 } });
    await page.getByRole("heading", { name: "Situation" }).waitFor();
    expect(await violationsInBothSchemes(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
    expect(faults).toEqual([]);
    await close();
  });
});

describe.skipIf(noBrowser !== undefined)(`a brief by a model${noBrowser ? ` (${noBrowser})` : ""}`, () => {
  let simulator: Simulator;
  let served: ConsoleStack;
  beforeAll(async () => {
    // The simulated model writes claims about its evidence. About 40 % of these claims are invented.
    simulator = await startSimulator({ clock: manualClock(NOON), seed: 1 });
    const env = { VIGIL_MODEL_URL: `${simulator.baseUrl}/model.simulated.example/v1` };
    served = await startConsole({ filled: ["country-evidence"], env });
  }, 120_000);
  afterAll(async () => {
    await served.close();
    await simulator.close();
  });

  test("shows the model that wrote the claims, how many claims were withheld, and each claim beside the fact that it cites", async () => {
    const { page, faults, close } = await served.open("/brief?country=SY");
    await page.getByRole("heading", { name: "Syria", level: 2 }).waitFor();
    const { model, evidence, claimsWithheld, degraded } = json(
      await served.stack.get(`${BRIEF}?country_code=SY`),
    ) as WrittenBrief;
    expect([degraded, claimsWithheld > 0]).toEqual([false, true]);
    expect(await page.locator(".method p").first().textContent()).toMatch(
      new RegExp(`^Written by the model ${model} at .* ${claimsWithheld} claims? (was|were) withheld`),
    );
    const facts = new Map(evidence.map(({ id, factText }) => [id, factText]));
    const claims = page.locator(".claim");
    expect(await claims.count()).toBeGreaterThan(2);
    let compared = 0;
    for (const claim of await claims.all()) {
      const cited = claim.getByRole("list", { name: "Evidence" }).getByRole("listitem");
      expect(await cited.count()).toBeGreaterThan(0);
      const id = /\[(E\d+)\]/.exec((await claim.locator("p").textContent()) ?? "")?.[1];
      if (id === undefined) continue;
      const fact = facts.get(id) ?? "no such evidence";
      // Invented claims were withheld, so each remaining claim repeats the fact that it cites.
      expect(await claim.locator("p").textContent()).toContain(fact);
      expect(await cited.first().locator(".fact").textContent()).toBe(fact);
      const [text, beside] = [await claim.locator("p").boundingBox(), await cited.first().boundingBox()];
      expect(beside?.x).toBeGreaterThanOrEqual((text?.x ?? 0) + (text?.width ?? 0));
      compared += 1;
    }
    expect(compared).toBeGreaterThan(0);
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(faults).toEqual([]);
    await close();
  });

  test("if the model cannot be reached, states why there is no text, and that this does not mean a quiet situation", async () => {
    simulator.faults.set({ upstream: "chat-model" }, { kind: "status", code: 500 });
    const { page, close } = await served.open("/brief?country=SY&framework=prices");
    await expect
      .poll(() => {
        // The service waits a moment before it calls the model a second time.
        served.stack.clock.advance(SECOND_MS);
        return page.getByText("There is no brief text for Syria").isVisible();
      })
      .toBe(true);
    expect(await page.getByText("The configured model could not be reached").isVisible()).toBe(true);
    expect(await page.getByText("This does not mean that nothing is happening there.").isVisible()).toBe(true);
    await close();
  });
});

interface WrittenBrief {
  readonly model: string;
  readonly claimsWithheld: number;
  readonly degraded: boolean;
  readonly evidence: readonly { readonly id: string; readonly factText: string }[];
}
