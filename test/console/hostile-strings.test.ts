import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { noBrowser } from "../../scripts/browser.mjs";
import { MINUTE_MS } from "../../src/kit/clock.js";
import { mapValues } from "../../src/kit/map-values.js";
import { type ConsoleStack, startConsole } from "../support/console.js";
import { newestRecords, publish } from "../support/published.js";
import { call } from "../support/stack.js";

/* Sources and users may send text or addresses that try to inject markup, scripts or requests into the console. */

const MARKUP = `"><img src="http://attacker.test/x.png" onerror="hit()"><script>hit()</script><b class="injected">`;
const SCRIPT = "javascript:hit()//";
/**
 * Matches text of several words. Single words stay unchanged, because they may be codes that the service interprets.
 */
const PROSE = /\s/;

/** A copy of a record with markup added to its text and with its addresses turned into scripts. */
function hostile(value: unknown): unknown {
  if (typeof value === "string") {
    if (/^https?:/.test(value)) return SCRIPT + value;
    return PROSE.test(value) ? MARKUP + value : value;
  }
  if (Array.isArray(value)) return value.map(hostile);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, hostile(member)]));
}

describe.skipIf(noBrowser !== undefined)(`hostile strings${noBrowser ? ` (${noBrowser})` : ""}`, () => {
  let served: ConsoleStack;
  const poisoned: string[] = [];
  beforeAll(async () => {
    served = await startConsole();
    const { stack } = served;
    stack.clock.advance(MINUTE_MS);
    // The pages show only the English digest.
    const shown = stack.services.datasets.filter(({ name }) => !/^digest-(?!full-en$)/.test(name));
    for (const { name } of shown) {
      const records = mapValues(await newestRecords(stack, name), (rows) => rows.map(hostile));
      if (!JSON.stringify(records).includes("hit()")) continue;
      await publish(stack, name, records);
      poisoned.push(name);
    }
  }, 120_000);
  afterAll(() => served.close());

  test("many datasets contain hostile strings", () => expect(poisoned.length).toBeGreaterThan(10));

  async function expectHarmless(page: Page, faults: readonly string[]): Promise<void> {
    const harm = await page.evaluate(`({
      injected: document.querySelectorAll(".injected, img[src*=attacker], main script").length,
      links: [...document.querySelectorAll("a[href], form[action], [src]")]
        .map((element) => element.getAttribute("href") ?? element.getAttribute("action") ?? element.getAttribute("src"))
        .filter((address) => /^\\s*(?:javascript|data|vbscript):/i.test(address)),
    })`);
    expect(harm).toEqual({ injected: 0, links: [] });
    // A blocked script, a blocked image or a request to another host would be reported here.
    expect(faults).toEqual([]);
  }

  test.each([
    [
      "/world?layers=conflict,violence,disasters,natural,earthquakes,climate,air,internet,airports",
      "main table tbody tr",
    ],
    ["/explorer?operation=list-feed-digest", ".tree"],
    ["/explorer?operation=list-climate-disasters&as=Table", "main table tbody tr"],
    ["/explorer?operation=list-natural-events&as=Raw", "pre.raw"],
    ["/series", "main h2"],
    ["/", "main table tbody tr"],
  ])("%s shows hostile strings as text", async (path, content) => {
    const { page, faults, close } = await served.open(path);
    await page.locator(content).first().waitFor();
    await expectHarmless(page, faults);
    await close();
  });

  test("hostile names entered by users are also shown as text", async () => {
    const { stack } = served;
    const post = async (path: string, body: object): Promise<void> => {
      const headers = { "x-service-key": stack.service.access.ownerKey.key ?? "", "content-type": "application/json" };
      const answer = await call(stack.answer, "POST", path, headers, { body: JSON.stringify(body) });
      expect(answer.status, String(answer.body)).toBeLessThan(300);
    };
    const name = MARKUP.slice(0, 100);
    const quakes = "/api/seismology/v1/list-earthquakes";
    await post("/api/watches/v1/create-watch", { name, call: quakes, on: "WATCH_ON_NEW_ROWS" });
    await post("/api/account/v1/create-key", { name, scopes: ["read"] });
    await post("/api/company-monitoring/v1/create-monitored-company", {
      clientRequestId: "hostile",
      company: { name, domicileCountry: "DOMICILE_COUNTRY_US" },
    });
    for (const path of ["/watches", "/account", "/companies"]) {
      const { page, faults, close } = await served.open(path);
      await page.getByText(name.slice(0, 20), { exact: false }).first().waitFor();
      await expectHarmless(page, faults);
      await close();
    }
  });

  test("the details of a story show hostile strings as text", async () => {
    const { page, faults, close } = await served.open("/digest");
    await page.getByText("Why this score").first().click();
    await page.getByText(MARKUP.slice(0, 20), { exact: false }).first().waitFor();
    await expectHarmless(page, faults);
    await close();
  });
});
