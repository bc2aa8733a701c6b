import { expect, test } from "vitest";
import type { Stored } from "../check.js";
import { compared } from "../compare.js";
import { naturalEvents } from "./natural.js";

const at = Date.UTC(2026, 10, 18);

function report(list: string, agency: string, windKt: number) {
  return {
    id: `${list}:1`,
    category: "severeStorms",
    lat: 20,
    lon: -60,
    date: at,
    stormName: "Simula",
    canonicalAliases: ["simula"],
    agencyObservations: [{ agency, windKt }],
  };
}

const reports = [report("eonet", "NHC", 80), report("gdacs", "GDACS", 100), report("nhc", "NHC", 90)];
const [repeated, second, first] = reports.flatMap(({ agencyObservations }) => agencyObservations);
const stored: Stored = { dataset: "natural-events", generation: 1, builtAt: at, parts: { events: reports } };

test.each([
  ["EONET's repetition is left out", [first, second], []],
  [
    "EONET's repetition is listed as well",
    [first, second, repeated],
    ["events[0].agencyObservations has 3 rows, recomputed 2"],
  ],
  [
    "the order is another",
    [second, first],
    [
      'events[0].agencyObservations[0] is {"agency":"GDACS","windKt":100}, stored {"agency":"NHC","windKt":90}',
      'events[0].agencyObservations[1] is {"agency":"NHC","windKt":90}, stored {"agency":"GDACS","windKt":100}',
    ],
  ],
])("for a storm with one observation of each agency: %s", (_name, agencyObservations, problems) => {
  const answer = { query: new URLSearchParams(), now: at, from: () => stored, served: undefined };
  const served = { events: [{ ...reports[2], agencyObservations }] };
  const found = [...compared(naturalEvents.recompute(answer), served)].flatMap(({ problem }) => problem ?? []);
  expect(found.filter((problem) => problem.includes("agencyObservations"))).toEqual(problems);
});
