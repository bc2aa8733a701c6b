import { describe, expect, test } from "vitest";
import { editionDocument } from "./editions.js";
import { createOracle, PRICES, QUAKES, type ReadAnswer } from "./oracle.js";
import { newReport } from "./report.js";

const newestAt = Date.UTC(2026, 10, 18);

/** The list that a correct service makes from an edition. */
function listOf(edition: number): string {
  const document = editionDocument("/earthquake.usgs.gov/x", edition, newestAt);
  const { features } = JSON.parse(document?.body ?? "");
  const earthquakes = features.map(
    ({
      id,
      properties,
      geometry,
    }: {
      id: string;
      properties: Record<string, unknown>;
      geometry: { coordinates: number[] };
    }) => ({
      id,
      place: properties["place"],
      magnitude: properties["mag"],
      depthKm: geometry.coordinates[2],
      location: { latitude: geometry.coordinates[1], longitude: geometry.coordinates[0] },
      occurredAt: properties["time"],
      sourceUrl: properties["url"],
      source: "usgs",
    }),
  );
  return JSON.stringify({ earthquakes });
}

function checked(...answers: readonly Partial<ReadAnswer>[]): readonly string[] {
  const report = newReport();
  const oracle = createOracle(report, () => 5, newestAt);
  for (const answer of answers) {
    const headers = { "x-vigil-state": "ok", "x-vigil-generation": "earthquakes=3", etag: '"a"', ...answer.headers };
    oracle.check({ node: "n", target: QUAKES, status: 200, body: listOf(3), sentTag: undefined, ...answer, headers });
  }
  return report.wrong;
}

test("a correct answer is accepted from every node, whole or as a 304", () => {
  expect(checked({}, { node: "m" }, { status: 304, sentTag: '"a"' })).toEqual([]);
});

describe("the oracle rejects an answer", () => {
  test.each<[string, readonly Partial<ReadAnswer>[]]>([
    ["with a row of another edition", [{ body: listOf(3).replace("edition 3", "edition 2") }]],
    ["with an edition that was never published", [{ body: listOf(6) }]],
    ["that lacks a row", [{ body: JSON.stringify({ earthquakes: JSON.parse(listOf(3)).earthquakes.slice(1) }) }]],
    [
      "that goes back to an earlier edition",
      [{}, { body: listOf(2), headers: { "x-vigil-generation": "earthquakes=4", etag: '"b"' } }],
    ],
    [
      "that differs from an earlier answer with the same tag",
      [{}, { body: listOf(4), headers: { "x-vigil-generation": "earthquakes=4" } }],
    ],
    [
      "that is degraded but lacks Cache-Control: no-store",
      [{ headers: { "x-vigil-state": "stale", "cache-control": "private, no-cache" } }],
    ],
    ["that is a 304 with a tag that the request did not send", [{ status: 304, body: "", sentTag: '"z"' }]],
    ["without a state", [{ headers: { "x-vigil-state": undefined } }]],
    [
      "with prices that belong to no edition",
      [{ target: PRICES, body: JSON.stringify({ months: [{ month: 1, headline: { index: 1 } }] }) }],
    ],
  ])("%s", (_name, answers) => {
    expect(checked(...answers)).toHaveLength(1);
  });
});
