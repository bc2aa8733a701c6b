import { expect, test } from "vitest";
import { describeEachStore } from "../../../../../test/support/stores.js";
import { OPERATOR_ACCOUNT } from "../../../../contract/access/principal.js";
import { MINUTE_MS } from "../../../../kit/clock.js";
import { LoopTurns } from "../../../../kit/loop-turns.js";
import { registrantAt } from "../../../../simulator/models/registrants.js";
import { classOfTitle } from "../../admission/category.js";
import { webSearch } from "../../scan/search/web-search.js";
import { takeRequests } from "../scan/requested-scans.js";
import { searchRound } from "../search/search-round.js";
import { companiesIn } from "../tables.js";
import { inTurn, prepared, verified } from "../testing/turns.js";
import { STORY_STEPS, scriptedStep, stepCountOf } from "./demo-script.js";
import { playStep, registeredCompany } from "./scripted-writer.js";

test("the reports of a story have one category, and the script has an end", () => {
  for (let step = 0; step < stepCountOf(5); step += STORY_STEPS) {
    const titles = [0, 1].flatMap((stage) => scriptedStep(step + stage, ["Adara Pharma"], 0).findings);
    const categories = new Set(titles.map(({ title }) => classOfTitle({ title }).category));
    expect([titles.map(({ title }) => title), categories.size, categories.has("none")]).toEqual([
      expect.anything(),
      1,
      false,
    ]);
  }
  expect(stepCountOf(5)).toBe(160);
});

test("the registered company is in the simulated register", () => {
  const { name, cik } = registrantAt(0);
  expect(registeredCompany).toMatchObject({ name, identifiers: [`CIK:${String(cik).padStart(10, "0")}`] });
});

await describeEachStore((open) => {
  test("at its start, a demo shows the whole life of an event, and then a step of the next event every minute", async () => {
    const store = await open();
    const { parts, clock } = await prepared(store);
    const db = companiesIn(store.database.db);
    const lifecycles = async (): Promise<readonly string[]> => {
      const rows = await db.selectFrom("company_impact").select("lifecycle").orderBy("visible_from").execute();
      return rows.map(({ lifecycle }) => lifecycle);
    };
    const life = ["admitted", "corrected", "retracted"];
    await playStep(parts);
    expect(await lifecycles()).toEqual(life);
    const seen: number[] = [];
    for (let step = 0; step < 8; step += 1) {
      clock.advance(MINUTE_MS);
      await playStep(parts);
      seen.push((await lifecycles()).length);
    }
    expect(seen).toEqual([3, 4, 5, 6, 6, 7, 8, 9]);
    expect(await lifecycles()).toEqual([...life, "admitted", "corrected", "corrected", ...life]);
    const events = await db.selectFrom("company_event").select("body").execute();
    expect(new Set(events.map(({ body }) => JSON.parse(body).summary))).toEqual(
      new Set(["A fictional story for the demo."]),
    );
  });

  test("the whole script ends with one impact for each story", async () => {
    const store = await open();
    const { parts, clock } = await prepared(store);
    for (let step = 0; step < 170; step += 1) {
      clock.advance(MINUTE_MS);
      await playStep(parts);
    }
    const current = await companiesIn(store.database.db)
      .selectFrom("company_impact")
      .select("lifecycle")
      .where("visible_to", "is", null)
      .execute();
    const lifecycles = current.map(({ lifecycle }) => lifecycle).sort();
    expect(lifecycles).toEqual([...Array(20).fill("corrected"), ...Array(20).fill("retracted")]);
  });

  test("the web search fails for the registered company for two minutes, and the company's coverage is partial until the next search", async () => {
    const store = await open();
    const { parts, clock } = await prepared(store);
    const db = companiesIn(store.database.db);
    await playStep(parts);
    const { company_id } = await db
      .selectFrom("company_version")
      .select("company_id")
      .where("name", "=", registeredCompany.name)
      .executeTakeFirstOrThrow();
    await inTurn(parts, OPERATOR_ACCOUNT, async (turn) => {
      const company = await turn.find(company_id);
      if (company) await turn.replace(company, verified(company));
    });
    await takeRequests(db, () => ["MONITORING_PROVIDER_SEARCH"], clock.now());
    const provider = webSearch({
      observe: async ({ text }) => ({
        state: "fresh",
        fetchedAt: clock.now(),
        expiresAt: clock.now(),
        data: [{ searchedFor: text, results: [], resultCount: 0 }],
      }),
      publisherOf: () => undefined,
      now: clock.now,
    });
    const states: (string | undefined)[] = [];
    for (let minute = 0; minute < 8; minute += 1) {
      await searchRound(parts, { provider, turns: new LoopTurns(), signal: new AbortController().signal });
      clock.advance(MINUTE_MS);
      await playStep(parts);
      const { coverage } = await db
        .selectFrom("company_version")
        .select("coverage")
        .where("company_id", "=", company_id)
        .where("visible_to", "is", null)
        .executeTakeFirstOrThrow();
      states.push(coverage);
    }
    // The third partial state is read two minutes after the failure, but before the next search round, which succeeds.
    expect(states).toEqual([
      "adequate",
      "adequate",
      "partial",
      "partial",
      "partial",
      "adequate",
      "adequate",
      "adequate",
    ]);
  });
});
