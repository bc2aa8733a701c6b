import { expect, test } from "vitest";
import { BUILT_AT, onOnePage, snapshotOf } from "../../../../test/support/stored-answers.js";
import { viewOf } from "../../../../test/support/views.js";
import { silentTally } from "../../../contract/row-tally.js";
import { settingReader } from "../../../contract/setting.js";
import { DAY_MS } from "../../../kit/clock.js";
import { naturalEvents } from "../datasets/natural-events.js";
import type { ReportedEvent } from "../records.js";
import { listNaturalEvents } from "./list-natural-events.js";

const noon = BUILT_AT;
const event = (id: string, category: "floods" | "wildfires", daysAgo: number): ReportedEvent => ({
  id,
  title: id,
  description: "",
  category,
  categoryTitle: category,
  lat: daysAgo,
  lon: 20,
  date: noon - daysAgo * DAY_MS,
  sourceUrl: "",
  sourceName: "",
  closed: false,
});

const view = viewOf(naturalEvents, {
  nhc: [],
  gdacs: [event("gdacs:old", "floods", 20), event("gdacs:new", "floods", 1)],
  eonet: [event("eonet:fire", "wildfires", 7)],
  hko: [],
});
test.each([
  ["no filter", { days: 30, category: "" }, ["gdacs:new", "eonet:fire", "gdacs:old"]],
  ["a category", { days: 30, category: "floods" }, ["gdacs:new", "gdacs:old"]],
  ["a category without events", { days: 30, category: "snow" }, []],
  ["seven days, including an event exactly seven days old", { days: 7, category: "" }, ["gdacs:new", "eonet:fire"]],
  ["fewer days", { days: 6, category: "" }, ["gdacs:new"]],
] as const)("list-natural-events returns the matching events for %s", (_name, query, ids) => {
  const answer = listNaturalEvents.run(
    { ...query, pageSize: 500, cursor: "" },
    { open: snapshotOf(view) },
    {
      observations: {},
      now: () => noon,
      paginate: onOnePage,
      tally: silentTally,
      simulated: false,
      settingOf: settingReader({}),
    },
  );
  expect(answer.events.map(({ id }) => id)).toEqual(ids);
  expect(answer).toMatchObject({ fetchedAt: noon, dataAvailable: true });
});

test("the parameter category accepts a known category and refuses an unknown one", () => {
  const { category } = listNaturalEvents.query;
  expect(category.decode(["floods"], noon)).toEqual({ value: "floods" });
  expect(category.decode(["flood"], noon)).toHaveProperty("violation");
});

test("the dataset keeps seven days of EONET's fires, and at most a hundred alerts of GDACS", () => {
  const { eonet, gdacs } = naturalEvents.parts;
  expect(
    eonet.select?.(
      [event("a", "wildfires", 7), event("b", "wildfires", 8), event("c", "floods", 8)],
      noon,
      silentTally,
    ),
  ).toHaveLength(2);
  const alerts = Array.from({ length: 101 }, (_, index) => event(`gdacs:${index}`, "floods", index % 30));
  expect(gdacs.select?.(alerts, noon, silentTally)).toHaveLength(100);
  expect(naturalEvents.gate({ nhc: [], gdacs: [], eonet: [], hko: [] })).toBe("no list has an event");
  expect(naturalEvents.newestAt({ nhc: [], gdacs: [], eonet: [], hko: [] })).toBeNull();
});
