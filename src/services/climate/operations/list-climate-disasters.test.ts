import { expect, test } from "vitest";
import { absent, BUILT_AT, snapshotOf, storedAnswerOf } from "../../../../test/support/stored-answers.js";
import { viewOf } from "../../../../test/support/views.js";
import { DAY_MS } from "../../../kit/clock.js";
import { climateDisasters } from "../datasets/climate-disasters.js";
import type { StoredDisaster } from "../records.js";
import { listClimateDisasters } from "./list-climate-disasters.js";

const flood = (id: string, daysAgo: number): StoredDisaster => ({
  id,
  type: "flood",
  name: `Flood ${id}`,
  country: "Nepal",
  status: "ongoing",
  startedAt: BUILT_AT - daysAgo * DAY_MS,
  source: "GDACS",
  observedAt: BUILT_AT,
});

test("list-climate-disasters serves the events of several sources in one list, newest first", () => {
  const records = { gdacs: [flood("gdacs-FL1", 5)], reliefweb: [], nhc: [], eonet: [flood("eonet-EONET_2", 1)] };
  const disasters = snapshotOf(viewOf(climateDisasters, records));
  const answer = storedAnswerOf(listClimateDisasters, "", { disasters });
  expect(answer).toMatchObject({
    disasters: [{ id: "eonet-EONET_2" }, { id: "gdacs-FL1" }],
    pagination: { nextCursor: "", totalCount: 2 },
  });
  expect(JSON.stringify(answer)).not.toContain("observedAt");
});

test("list-climate-disasters is empty while nothing is stored", () => {
  expect(storedAnswerOf(listClimateDisasters, "", { disasters: absent })).toEqual({
    disasters: [],
    pagination: { nextCursor: "", totalCount: 0 },
  });
});
