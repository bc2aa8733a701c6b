import { describe, expect, test } from "vitest";
import type { RememberedStory } from "../../digest-records.js";
import { currentCount, knownStories, type Mention } from "./story-memory.js";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const now = Date.UTC(2026, 4, 1, 12);
const mention = (
  title: string,
  publisher: string,
  hoursAgo: number,
  link = `https://${publisher}.example/${title}`,
) => ({
  title,
  publisher,
  link,
  language: "en",
  publishedAt: now - hoursAgo * HOUR,
});
const chile = (publisher: string, hoursAgo: number): Mention =>
  mention("Magnitude 7.1 earthquake strikes northern Chile", publisher, hoursAgo);
const ferry = (publisher: string, hoursAgo: number): Mention =>
  mention("Ferry with 180 aboard sinks off Basilan", publisher, hoursAgo);
const first = ({ storyOf }: { storyOf: readonly RememberedStory[] }): RememberedStory => {
  const [story] = storyOf;
  if (story === undefined) throw new Error("no story");
  return story;
};

test("a remembered story has its times, mentions and publishers", () => {
  const { storyOf, memory } = knownStories([chile("a", 30), chile("b", 2), ferry("a", 1)], [], now);
  expect(storyOf[0]).toBe(storyOf[1]);
  expect(storyOf[2]).not.toBe(storyOf[0]);
  expect(memory).toHaveLength(2);
  expect(storyOf[0]).toMatchObject({
    kind: "story",
    language: "en",
    firstSeenAt: now - 30 * HOUR,
    lastSeenAt: now - 2 * HOUR,
    mentionCount: 2,
    publishers: ["a", "b"],
    peakCount: 1,
  });
  expect(storyOf[0]?.id).toMatch(/^[0-9a-f]{12}$/);
});

test("the memory of stories is plain JSON", () => {
  const { memory } = knownStories([chile("a", 1)], [], now);
  expect(JSON.parse(JSON.stringify(memory))).toEqual(memory);
});

describe("the id of a story", () => {
  const before = knownStories([chile("a", 1)], [], now);

  test("stays while one of its links is in the feeds, even if other mentions join or leave", () => {
    const next = knownStories([chile("a", 1), chile("b", 0), ferry("c", 0)], before.memory, now + HOUR);
    expect(next.storyOf.map(({ id }) => id === first(before).id)).toEqual([true, true, false]);
    expect(next.storyOf[0]).toMatchObject({ mentionCount: 2, publishers: ["a", "b"] });
    const last = knownStories([chile("b", 0)], next.memory, now + 2 * HOUR);
    expect(first(last)).toMatchObject({ id: first(before).id, mentionCount: 2, publishers: ["a", "b"] });
  });

  test("stays if the story returns in other words after leaving the feeds", () => {
    const away = knownStories([ferry("c", 0)], before.memory, now + HOUR);
    expect(away.memory.map(({ id }) => id)).toContain(first(before).id);
    const back = mention("Strong 7.1 quake hits northern Chile", "d", -2);
    const returned = knownStories([back], away.memory, now + 3 * HOUR);
    expect(first(returned)).toMatchObject({ id: first(before).id, mentionCount: 2, publishers: ["a", "d"] });
  });

  test("is independent of the order of the mentions", () => {
    const mentions = [chile("a", 30), chile("b", 2), ferry("a", 1)];
    const [inOrder, reversed] = [knownStories(mentions, [], now), knownStories([...mentions].reverse(), [], now)];
    expect(reversed.memory).toEqual(inOrder.memory);
  });

  test("is the older story's id if two stories merge", () => {
    const [elder, younger] = [chile("a", 5), ferry("b", 1)].map((mention) => first(knownStories([mention], [], now)));
    if (elder === undefined || younger === undefined) throw new Error("no stories");
    // Both links now have the same title.
    const title = "Magnitude 7.1 earthquake strikes northern Chile";
    const joined = knownStories([chile("a", 5), { ...ferry("b", 1), title }], [younger, elder], now);
    expect(first(joined)).toMatchObject({ id: elder.id, mentionCount: 2 });
    expect(joined.memory).toHaveLength(1);
  });

  test("stays with the larger part of a story that splits, and no id is assigned twice", () => {
    const whole = first(knownStories([chile("a", 3), chile("b", 2), chile("c", 1)], [], now));
    const apart = knownStories(
      [{ ...ferry("x", 3), link: chile("a", 3).link }, chile("b", 2), chile("c", 1)],
      [whole],
      now,
    );
    const [parted, kept] = apart.storyOf;
    expect(kept).toMatchObject({ id: whole.id, mentionCount: 2 });
    expect(parted?.id).not.toBe(whole.id);
    expect(parted?.mentionCount).toBe(1);
  });
});

test("a mention that is seen again is not counted again", () => {
  let { memory } = knownStories([chile("a", 1)], [], now);
  for (let build = 0; build < 3; build += 1) ({ memory } = knownStories([chile("a", 1)], memory, now));
  expect(memory).toMatchObject([{ mentionCount: 1 }]);
});

test("the peak of a story is its largest number of mentions in one day, and never falls", () => {
  const busy = knownStories([chile("a", 3), chile("b", 2), chile("c", 1)], [], now);
  expect(first(busy).peakCount).toBe(3);
  const later = knownStories([chile("c", 1)], busy.memory, now + 30 * HOUR);
  expect(first(later)).toMatchObject({ peakCount: 3, mentionCount: 3 });
  expect(currentCount(first(later).mentions, now + 30 * HOUR)).toBe(0);
});

test("a story is remembered for seven days after its newest mention", () => {
  const { memory } = knownStories([chile("a", 0)], [], now);
  expect(knownStories([], memory, now + 7 * DAY).memory).toHaveLength(1);
  expect(knownStories([], memory, now + 7 * DAY + 1).memory).toEqual([]);
});

test("at most 10,000 stories outside the feeds are remembered; old ones with one mention are forgotten first", () => {
  const gone = (index: number, mentionCount: number): RememberedStory => ({
    kind: "story",
    id: `s${index}`,
    language: "en",
    title: `t${index}`,
    firstSeenAt: now - index,
    mentionCount,
    lastSeenAt: now - index,
    publishers: ["a"],
    peakCount: 1,
    mentions: [],
  });
  const memory = Array.from({ length: 10_002 }, (_, index) => gone(index, index === 10_001 ? 2 : 1));
  const kept = new Set(knownStories([], memory, now).memory.map(({ id }) => id));
  expect(kept.size).toBe(10_000);
  expect([kept.has("s10001"), kept.has("s10000"), kept.has("s9999"), kept.has("s9998")]).toEqual([
    true,
    false,
    false,
    true,
  ]);
});

test.each(["The Irish Times", "Japan Today"])("the publisher %s of a remembered title is not a place", (publisher) => {
  const title = "Ferry sinks off Chile, 40 missing";
  const { storyOf, memory } = knownStories([mention(`${title} - ${publisher}`, publisher, 3, "a")], [], now);
  const later = knownStories([mention(`${title}, navy says`, "b", 0, "b")], memory, now);
  expect(first(later).id).toBe(storyOf[0]?.id);
});
