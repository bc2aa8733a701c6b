import { expect, test } from "vitest";
import { sectionsOf } from "./brief-text.js";

const evidence = [
  {
    id: "E1",
    kind: "conflict" as const,
    label: "Events",
    value: "58 events",
    factText: "There were 58 events.",
    asOf: "2026-11-23T00:00:00.000Z",
    url: "https://acleddata.com/",
  },
];
const sources = [
  { title: "A headline", source: "BBC News", url: "https://bbc.example/1", publishedAt: "2026-11-23T18:55:00.000Z" },
];

test("each claim lists the items that it cites, in order", () => {
  const brief =
    'Situation\nThere were [58] events. [E1]\nHeadlines name it: "A headline". [1][E1]\n\nWatch\nNothing. [E9]';
  const [situation, watch] = sectionsOf({ brief, evidence, sources });
  expect(situation).toEqual({
    heading: "Situation",
    claims: [
      { text: "There were [58] events.", citations: [{ kind: "evidence", id: "E1", item: evidence[0] }] },
      {
        text: 'Headlines name it: "A headline".',
        citations: [
          { kind: "headline", id: "1", item: sources[0] },
          { kind: "evidence", id: "E1", item: evidence[0] },
        ],
      },
    ],
  });
  expect(watch?.claims[0]?.citations).toEqual([{ kind: "missing", id: "E9" }]);
});

test("an empty brief has no sections", () => expect(sectionsOf({ brief: "", evidence, sources })).toEqual([]));
