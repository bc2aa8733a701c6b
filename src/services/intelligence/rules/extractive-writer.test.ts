import { expect, test } from "vitest";
import type { BriefEvidence } from "../records.js";
import { headline, item } from "../testing/evidence.js";
import { briefText } from "./brief-text.js";
import { extractiveClaims } from "./extractive-writer.js";
import { grounded } from "./grounding/grounding.js";

const evidence = [
  item(
    "E1",
    "conflict",
    "ACLED lists 31 conflict events in the Philippines from 19 October to 17 November 2026, with 65 reported deaths.",
  ),
  item(
    "E2",
    "conflict",
    "Conflict events that ACLED lists in the Philippines rose from 15 events (19 October to 2 November 2026) to 16 events (3 to 17 November 2026).",
    { label: "Trend: conflict events" },
  ),
  item(
    "E3",
    "humanitarian",
    "For October 2026, HDX HAPI counts 12 events of political violence and 0 demonstrations in the Philippines.",
  ),
  item("E4", "displacement", "At the end of 2025, UNHCR counts 1,000 refugees originating from the Philippines."),
  item(
    "E5",
    "disaster",
    "GDACS lists the cyclone 'MAN-YI-26' in the Philippines as under way since 14 November 2026 at severity red.",
  ),
  item(
    "E6",
    "climate",
    "At the reference point of the climate zone Coral Triangle, the days from 10 to 16 November 2026 were 3.4 °C warmer and 1.2 mm a day drier than the normal of 1991-2020.",
  ),
  item(
    "E7",
    "air-quality",
    "The worst air known in the Philippines is that of Manila with a US AQI of 101 (unhealthy), modelled on 18 November 2026 at 12:00 UTC (Open-Meteo).",
  ),
  item(
    "E8",
    "internet",
    "Cloudflare Radar lists 1 internet traffic anomaly of the last seven days in the Philippines; it began on 15 November 2026, in the network PLDT, and has ended.",
  ),
  item(
    "E9",
    "aviation",
    "Manila Ninoy Aquino International (MNL) reports a closure, severity severe; the stated reason is 'RWY 06/24 CLSD'.",
  ),
  item(
    "E12",
    "sanctions",
    "Canada's SEMA list, read on 18 November 2026 (newest listing 2 October 2026), has 210 entries under its measures on the Philippines.",
  ),
  headline("E10", "Philippines: 3 dead as \u2018super typhoon\u2019 nears; flights halted"),
  headline("E11", "Manila braces for storm. Schools shut"),
];

function written(facts: readonly BriefEvidence[]) {
  const claims = extractiveClaims("the Philippines", facts);
  const kept = grounded(claims, { code: "PH", evidence: facts, headlinesLead: false });
  return { ...briefText(kept.claims, facts), withheld: kept.withheld };
}

test("the writer states all evidence under the headings of a brief, and no claim is withheld", () => {
  const { brief, withheld, evidence: cited, sources } = written(evidence);
  expect(withheld).toBe(0);
  expect(cited).toEqual(evidence);
  expect(sources).toHaveLength(2);
  const lines = brief.split("\n");
  expect(lines.filter((line) => !line.endsWith("]"))).toEqual([
    "Situation",
    "",
    "Implications",
    "",
    "Risks",
    "",
    "Watch",
  ]);
  expect(brief).toContain(
    'Headlines name the Philippines: "Philippines: 3 dead as \u2018super typhoon\u2019 nears; flights halted" (Example Times, 18 November 2026).',
  );
  expect(lines.find((line) => line.startsWith("Headlines"))).toMatch(/\[1\]\[2\]$/);
  expect(lines.filter((line) => line.endsWith("]")).every((line) => /(?:\[E?\d+\])+$/.test(line))).toBe(true);
});

test("equal evidence yields equal text", () => {
  const copies = evidence.map((fact) => ({ ...JSON.parse(JSON.stringify(fact)) }) as BriefEvidence);
  expect(written(copies)).toEqual(written(evidence));
});

test("facts that do not fit into a claim are omitted entirely and not listed as evidence", () => {
  const long = evidence.map((fact) =>
    fact.id === "E7" ? { ...fact, factText: fact.factText.replace("Manila", `Manila ${"x".repeat(330)}`) } : fact,
  );
  const { brief, evidence: cited } = written(long);
  expect(brief).toContain("Coral Triangle");
  expect(cited.map(({ id }) => id)).not.toContain("E7");
});

test("no evidence yields no text", () => {
  expect(written([])).toEqual({ brief: "", evidence: [], sources: [], withheld: 0 });
});
