import { expect, test } from "vitest";
import { DAY_MS, HOUR_MS } from "../../kit/clock.js";
import { newsCountries, troubled } from "./news-kinds.js";
import { NEWS_DAYS, newsUntil } from "./world-news.js";

const NOW = Date.parse("2026-11-18T12:00:00Z");

test("world news lists a few hundred events of the last `NEWS_DAYS` days, each once", () => {
  const events = newsUntil(1, NOW);
  expect(events.length).toBeGreaterThan(300);
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
  const times = events.map(({ startedAt }) => startedAt);
  expect(Math.min(...times)).toBeGreaterThan(NOW - NEWS_DAYS * DAY_MS);
  expect(Math.max(...times)).toBeLessThanOrEqual(NOW);
});

test("past events never change", () => {
  const earlier = newsUntil(1, NOW - 5 * HOUR_MS);
  const later = new Map(newsUntil(1, NOW).map((event) => [event.id, event]));
  const still = earlier.filter(({ id }) => later.has(id));
  expect(still.length).toBeGreaterThan(250);
  for (const event of still) expect(later.get(event.id)).toEqual(event);
});

test("a different seed gives a different world", () => {
  const headlines = (seed: number) => newsUntil(seed, NOW).map(({ kind, country }) => `${kind.name} ${country}`);
  expect(headlines(2)).not.toEqual(headlines(1));
});

test.each([1, 2, 3])("every country in `newsCountries` is in the news (seed %i)", (seed) => {
  const named = new Set(newsUntil(seed, NOW).map(({ country }) => country));
  expect([...newsCountries.keys()].filter((country) => !named.has(country))).toEqual([]);
});

test("armed conflict happens only in countries with real armed conflict", () => {
  const conflicts = newsUntil(1, NOW).filter(({ kind }) => kind.subject === "conflict");
  expect(conflicts.length).toBeGreaterThan(10);
  expect(conflicts.filter(({ country }) => !troubled.includes(country))).toEqual([]);
});

test("for more than five kinds, two events of the same kind begin in different countries within 12 hours", () => {
  const events = newsUntil(1, NOW);
  const near = events.filter(({ kind, country, startedAt }) =>
    events.some(
      (other) =>
        other.kind === kind && other.country !== country && Math.abs(other.startedAt - startedAt) < 12 * HOUR_MS,
    ),
  );
  expect(new Set(near.map(({ kind }) => kind.name)).size).toBeGreaterThan(5);
});
