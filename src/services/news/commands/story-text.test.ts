import { expect, test } from "vitest";
import { type ExplainedDigest, storyText } from "./story-text.js";

const AT = Date.UTC(2026, 10, 21, 8, 30);

const item: ExplainedDigest["categories"][string]["items"][number] = {
  title: "Quake strikes",
  source: "Example Times",
  link: "https://example.org/a",
  publishedAt: AT,
  storyId: "65f5bcc303d6",
  importanceScore: 41.25,
  credibilityScore: 70,
  corroborationCount: 2,
  storyMeta: { firstSeen: AT - 3_600_000, mentionCount: 3, phase: "STORY_PHASE_DEVELOPING" },
  threat: { category: "disaster", confidence: 0.7 },
  explain: {
    importance: [
      { name: "severity", input: 75, weight: 0.55, points: 41.25 },
      { name: "recency", input: 100 / 3, weight: 0.1, points: 10 / 3 },
      { name: "diplomacy", input: 0, weight: 18, points: 0 },
    ],
    credibility: [{ name: "tier", input: 100, weight: 0.3, points: 30 }],
    level: { classified: "medium", applied: "high", reason: 'disaster; disaster "quake"', liftedBy: ["Chile", "UN"] },
    entities: { names: ["Chile"], publisherCount: 4 },
    families: ["bbc", "reuters"],
    mentions: [{ feed: "bbc-world", title: "Quake strikes", link: "https://example.org/a", publishedAt: AT }],
  },
};

const digestWith = (categories: ExplainedDigest["categories"]): ExplainedDigest => ({
  generatedAt: "2026-11-21T09:00:00.000Z",
  categories,
});

test("the text lists every term of both scores, the level, the publishers and the category", () => {
  const digests = {
    tech: digestWith({ ai: { items: [] } }),
    full: digestWith({ crisis: { items: [item] }, latam: { items: [item] } }),
  };
  expect(storyText("65f5", digests)).toBe(`Quake strikes
Example Times, 2026-11-21 08:30, https://example.org/a
Story 65f5bcc303d6. Digest full of 2026-11-21T09:00:00.000Z, in crisis, latam
First seen 2026-11-21 07:30, 3 mentions, developing

Importance 41.25
term       input      weight  points
---------  ---------  ------  --------
severity   75         0.55    41.25
recency    33.333333  0.1     3.333333
diplomacy  0          18      0

Credibility 70
term  input  weight  points
----  -----  ------  ------
tier  100    0.3     30

Level high (medium by its title, lifted by Chile, UN), category disaster, confidence 0.7
The title: disaster; disaster "quake"
Corroborated by 2: bbc, reuters
Names Chile, shared by 4 publishers

published         feed       title
----------------  ---------  -------------
2026-11-21 08:30  bbc-world  Quake strikes`);
});

test("the text omits unknown facts of a story", () => {
  const { storyMeta: _meta, threat: _threat, ...bare } = item;
  const { level: _level, entities: _entities, ...rest } = item.explain;
  const explain = {
    ...rest,
    level: { classified: "info", applied: "info" },
    entities: { names: [], publisherCount: 1 },
  };
  const plain = { ...bare, explain };
  const text = storyText(item.storyId, { full: digestWith({ crisis: { items: [plain] } }) });
  expect(text).toContain("Level info (info by its title)\n");
  expect(text).toContain("Names none, shared by 1 publisher\n");
  expect(text).not.toContain("First seen");
});

test("a story that is in no digest yields no text", () => {
  expect(storyText("ffff", { full: digestWith({ crisis: { items: [item] } }) })).toBeUndefined();
});
