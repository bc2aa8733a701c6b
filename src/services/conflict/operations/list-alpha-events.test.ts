import { describe, expect, test } from "vitest";
import { BUILT_AT, onOnePage, snapshotOf } from "../../../../test/support/stored-answers.js";
import { viewOf } from "../../../../test/support/views.js";
import { silentTally } from "../../../contract/row-tally.js";
import { settingReader } from "../../../contract/setting.js";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../kit/clock.js";
import { alphaEvents } from "../datasets/alpha-events.js";
import type { AlphaConflictEvent } from "../records.js";
import type { ExportSpan } from "../rules/export-spans.js";
import { listAlphaEvents } from "./list-alpha-events.js";

const settingOf = settingReader({});

const noon = BUILT_AT;
const today = Date.UTC(2026, 10, 18);
const windowBegins = Date.UTC(2026, 9, 19);

const alphaEvent = (id: string, occurredAt: number, country = "Sudan"): AlphaConflictEvent => ({
  id,
  country,
  occurredAt,
  actors: [],
  eventType: "Battles",
  fatalities: 0,
  source: "S",
  location: { latitude: 15, longitude: 30 },
});

/** Events in order of time: before the window, in its first moment, a few days ago, today, and tomorrow. */
const alphaView = viewOf(alphaEvents, {
  acled: [
    alphaEvent("before", windowBegins - 1),
    alphaEvent("first", windowBegins),
    alphaEvent("ukraine", today - 3 * DAY_MS, "Ukraine"),
    alphaEvent("today", today),
    alphaEvent("tomorrow", today + DAY_MS),
  ],
  gdelt: [alphaEvent("machine", today)],
});
const alpha = snapshotOf(alphaView);

interface AlphaCase {
  readonly name: string;
  readonly start?: number;
  readonly end?: number;
  readonly country?: string;
  readonly now?: number;
  readonly ids: readonly string[];
}

const all = ["tomorrow", "today", "ukraine", "first", "before"];

const alphaCases: readonly AlphaCase[] = [
  { name: "without a filter the answer is the whole snapshot, whatever the time", ids: all, now: noon + 900 * DAY_MS },
  { name: "a blank country is the same as no country", country: "  ", ids: all },
  { name: "an unset start is midnight 30 days ago, and an unset end is now", country: "SD", ids: ["today", "first"] },
  {
    name: "the window does not move before midnight",
    country: "sd",
    now: today + DAY_MS - 1,
    ids: ["today", "first"],
  },
  { name: "the window moves at midnight", country: "sd", now: today + DAY_MS, ids: ["tomorrow", "today"] },
  { name: "a start exactly at an event includes it", start: today, ids: ["today"] },
  { name: "a start just after an event excludes it", start: today + 1, ids: [] },
  {
    name: "an end in the window's first millisecond includes an event at that time",
    end: windowBegins,
    ids: ["first"],
  },
  { name: "an end before the window matches nothing", end: windowBegins - 1, ids: [] },
  {
    name: "a start before the window reaches back to the oldest stored event",
    start: 1,
    end: windowBegins,
    ids: ["first", "before"],
  },
  { name: "both ends are included", start: windowBegins - 1, end: windowBegins - 1, ids: ["before"] },
  { name: "an end before the start matches nothing", start: today, end: today - 1, ids: [] },
  {
    name: "an end in the future matches future events",
    end: today + DAY_MS,
    ids: ["tomorrow", "today", "ukraine", "first"],
  },
  { name: "a country is found by its name, regardless of case", country: "uKrAiNe", ids: ["ukraine"] },
  { name: "a country and a start apply together", country: "UA", start: today - 3 * DAY_MS + 1, ids: [] },
  { name: "a country without events matches nothing", country: "FR", ids: [] },
  { name: "an unknown country matches nothing", country: "Nowhere", ids: [] },
];

describe("list-alpha-events", () => {
  const queryOf = ({ start, end, country = "" }: Omit<AlphaCase, "name" | "ids">) => ({
    start,
    end,
    country,
    pageSize: undefined,
    cursor: undefined,
  });

  test.each(alphaCases)("$name", ({ ids, now = noon, ...filters }) => {
    const answer = listAlphaEvents.run(
      queryOf(filters),
      { alpha },
      { observations: {}, now: () => now, paginate: onOnePage, tally: silentTally, simulated: false, settingOf },
    );
    expect(answer.events.map(({ id }) => id)).toEqual(ids);
    expect(answer.pagination).toEqual({ nextCursor: "", totalCount: ids.length });
  });

  test.each([
    ["no filter", {}, Number.POSITIVE_INFINITY],
    ["both ends", { start: 1, end: 2 }, Number.POSITIVE_INFINITY],
    ["an end without a start: until the window moves", { end: today }, today + DAY_MS],
    ["a start without an end: until the time of the next future event", { start: today }, today + DAY_MS],
    ["no end, and no later event", { start: today, country: "UA" }, Number.POSITIVE_INFINITY],
    ["only a country", { country: "UA" }, today + DAY_MS],
  ])("the filters determine how long the answer is valid: %s", (_name, filters, until) => {
    expect(listAlphaEvents.validUntil?.(queryOf(filters), { alpha }, noon)).toBe(until);
  });

  test("GDELT's events are served if ACLED has none, and a snapshot without events is refused", () => {
    const alone = viewOf(alphaEvents, { acled: [], gdelt: [alphaEvent("machine", today)] });
    expect(alone.find("", { first: 0, last: noon }).slice(0, 9)).toMatchObject([{ id: "machine" }]);
    expect(alphaEvents.gate({ acled: [], gdelt: [] })).toBe("no source has an event");
    expect(alphaEvents.newestAt({ acled: [], gdelt: [] })).toBeNull();
  });

  test.each([
    ["the default limit of 20,000", {}, 20_000],
    ["the operator's limit", { VIGIL_ALPHA_EVENTS_MAX: "20001" }, 20_001],
    ["a smaller limit", { VIGIL_ALPHA_EVENTS_MAX: "3" }, 3],
  ])("the answer is truncated to the limit but counts all events: %s", (_name, environment, length) => {
    const acled = Array.from({ length: 20_001 }, (_, at) => alphaEvent(`e${at}`, today));
    const many = snapshotOf(viewOf(alphaEvents, { acled, gdelt: [] }));
    const context = {
      observations: {},
      now: () => noon,
      paginate: onOnePage,
      tally: silentTally,
      simulated: false,
    } as const;
    const answer = listAlphaEvents.run(
      queryOf({}),
      { alpha: many },
      { ...context, settingOf: settingReader(environment) },
    );
    expect([answer.events.length, answer.pagination.totalCount]).toEqual([length, 20_001]);
  });
});

describe("the stored events", () => {
  const [acled, gdelt] = [alphaEvents.parts.acled, alphaEvents.parts.gdelt];
  const ids = (events: readonly AlphaConflictEvent[] | undefined) => events?.map(({ id }) => id);

  test.each([
    ["an event in the first millisecond of the window is stored", windowBegins, ["e"]],
    ["an event a millisecond before the window is not stored", windowBegins - 1, []],
  ])("%s", (_name, occurredAt, kept) => {
    for (const part of [acled, gdelt])
      expect(ids(part.select?.([alphaEvent("e", occurredAt)], noon, silentTally))).toEqual(kept);
  });

  test("GDELT's events accumulate, each in its latest version, and each run replaces ACLED's events", () => {
    const [kept, fresh] = [[alphaEvent("a", today), alphaEvent("b", today)], [alphaEvent("b", today, "Mali")]];
    const merged =
      gdelt.merge?.(kept, fresh, { now: noon, settingOf, memory: { spans: [] }, tally: silentTally }) ?? [];
    expect(ids(merged)).toEqual(["a", "b"]);
    expect(merged[1]).toMatchObject({ country: "Mali" });
    expect(acled.merge).toBeUndefined();
  });

  const span = (first: number, last = first): ExportSpan => ({ firstExportAt: first, lastExportAt: last });
  const missedAt = (spans: readonly ExportSpan[], now: number) =>
    gdelt.plan({ kept: [], memory: { spans }, now, settingOf })?.missed ?? [];
  const remembered = (spans: readonly ExportSpan[], read: readonly ExportSpan[], now: number) =>
    gdelt.memory?.after({ spans }, read, { now, settingOf }).spans ?? [];

  test("the first run reads only the newest exports, and later runs also read missing older exports, newest first", () => {
    expect(missedAt([], noon)).toEqual([]);
    const kept = [span(noon - 3 * HOUR_MS, noon - 15 * MINUTE_MS)];
    expect(missedAt(kept, noon)[0]).toBe(noon - 3 * HOUR_MS - 15 * MINUTE_MS);
    const later = missedAt(kept, noon + 5 * HOUR_MS);
    expect(later.slice(0, 13)).toEqual(Array.from({ length: 13 }, (_, at) => noon + (180 - 15 * at) * MINUTE_MS));
    expect(later[13]).toBe(noon - 3 * HOUR_MS - 15 * MINUTE_MS);
    expect(later).toHaveLength(96);
  });

  test("successive runs cover all thirty days, and a day later the exports of the oldest day are dropped", () => {
    let kept: readonly ExportSpan[] = [span(noon - 2 * HOUR_MS, noon)];
    let runs = 0;
    for (let missed = missedAt(kept, noon); missed.length > 0; missed = missedAt(kept, noon)) {
      const read = missed.map((at) => span(at));
      kept = remembered(kept, read, noon);
      runs += 1;
    }
    expect(runs).toBe(Math.ceil((30 * 96 + 40) / 96));
    expect(kept).toEqual([span(windowBegins, noon)]);
    expect(remembered(kept, [], noon + DAY_MS)).toEqual([span(windowBegins + DAY_MS, noon)]);
  });
});
