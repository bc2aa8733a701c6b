import { describe, expect, test } from "vitest";
import { viewOf } from "../../../../test/support/views.js";
import type { Page, Rows } from "../../../contract/paging.js";
import { settingReader } from "../../../contract/setting.js";
import type { AvailableSnapshot } from "../../../contract/snapshot.js";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../kit/clock.js";
import { alphaEvents } from "../datasets/alpha-events.js";
import { betaEvents } from "../datasets/beta-events.js";
import type { AlphaConflictEvent, BetaViolenceEvent } from "../records.js";
import type { ExportSpan } from "../rules/export-spans.js";
import { listAlphaEvents } from "./list-alpha-events.js";
import { listBetaEvents } from "./list-beta-events.js";

const settingOf = settingReader({});

const noon = Date.UTC(2026, 10, 18, 12);
const today = Date.UTC(2026, 10, 18);
const windowBegins = Date.UTC(2026, 9, 19);

function snapshotOf<View>(view: View): AvailableSnapshot<View> {
  return {
    available: true,
    state: "ok",
    view,
    generation: 1,
    contentHash: "",
    parts: {},
    builtAt: noon,
    checkedAt: noon,
    newestAt: null,
    nextBuildAt: null,
    attempt: null,
  };
}

const paginate = <T>(rows: Rows<T>): Page<T> => ({
  rows: rows.slice(0, rows.length),
  pagination: { nextCursor: "", totalCount: rows.length },
});

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

/** In order of time: before the window, its first moment, some days ago, today, and tomorrow. */
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
  { name: "without a filter the answer is the whole snapshot at any time", ids: all, now: noon + 900 * DAY_MS },
  { name: "a blank country is the same as none", country: "  ", ids: all },
  { name: "an unset start is midnight 30 days ago, an unset end is now", country: "SD", ids: ["today", "first"] },
  {
    name: "the window moves with midnight, not before",
    country: "sd",
    now: today + DAY_MS - 1,
    ids: ["today", "first"],
  },
  { name: "and at midnight", country: "sd", now: today + DAY_MS, ids: ["tomorrow", "today"] },
  { name: "only start, exactly at an event", start: today, ids: ["today"] },
  { name: "only start, just after an event", start: today + 1, ids: [] },
  { name: "only end, in the first millisecond of the window", end: windowBegins, ids: ["first"] },
  { name: "only end, just before the window", end: windowBegins - 1, ids: [] },
  { name: "start reaches back to the oldest stored event", start: 1, end: windowBegins, ids: ["first", "before"] },
  { name: "both ends included", start: windowBegins - 1, end: windowBegins - 1, ids: ["before"] },
  { name: "an end before the start matches nothing", start: today, end: today - 1, ids: [] },
  {
    name: "an end in the future matches future events",
    end: today + DAY_MS,
    ids: ["tomorrow", "today", "ukraine", "first"],
  },
  { name: "a country by its name, in any case", country: "uKrAiNe", ids: ["ukraine"] },
  { name: "a country with time", country: "UA", start: today - 3 * DAY_MS + 1, ids: [] },
  { name: "a country without events", country: "FR", ids: [] },
  { name: "an unknown country", country: "Nowhere", ids: [] },
];

describe("list-alpha-events", () => {
  const queryOf = ({ start, end, country = "" }: Omit<AlphaCase, "name" | "ids">) => ({
    start,
    end,
    country,
    pageSize: undefined,
    cursor: undefined,
  });

  test.each(alphaCases)("$name", ({ ids, now = noon, ...asked }) => {
    const answer = listAlphaEvents.run(
      queryOf(asked),
      { alpha },
      { observations: {}, now: () => now, paginate, simulated: false, settingOf },
    );
    expect(answer.events.map(({ id }) => id)).toEqual(ids);
    expect(answer.pagination).toEqual({ nextCursor: "", totalCount: ids.length });
  });

  test.each([
    ["no filter", {}, Number.POSITIVE_INFINITY],
    ["both ends", { start: 1, end: 2 }, Number.POSITIVE_INFINITY],
    ["an end without a start: until the window moves", { end: today }, today + DAY_MS],
    ["a start without an end: until the next event is reached", { start: today }, today + DAY_MS],
    ["no end, and no later event", { start: today, country: "UA" }, Number.POSITIVE_INFINITY],
    ["only a country", { country: "UA" }, today + DAY_MS],
  ])("the answer is valid: %s", (_name, asked, until) => {
    expect(listAlphaEvents.validUntil?.(queryOf(asked), { alpha }, noon)).toBe(until);
  });

  test("GDELT's events are served only if ACLED has none", () => {
    const alone = viewOf(alphaEvents, { acled: [], gdelt: [alphaEvent("machine", today)] });
    expect(alone.find("", { first: 0, last: noon }).slice(0, 9)).toMatchObject([{ id: "machine" }]);
    expect(alphaEvents.gate({ acled: [], gdelt: [] })).toBe("no source has an event");
    expect(alphaEvents.newestAt({ acled: [], gdelt: [] })).toBeNull();
  });

  test.each([
    ["20,000", {}, 20_000],
    ["the operator's limit", { VIGIL_ALPHA_EVENTS_MAX: "20001" }, 20_001],
    ["a smaller limit", { VIGIL_ALPHA_EVENTS_MAX: "3" }, 3],
  ])("the answer has at most the limit, and counts all events: %s", (_name, given, length) => {
    const acled = Array.from({ length: 20_001 }, (_, at) => alphaEvent(`e${at}`, today));
    const many = snapshotOf(viewOf(alphaEvents, { acled, gdelt: [] }));
    const context = { observations: {}, now: () => noon, paginate, simulated: false } as const;
    const answer = listAlphaEvents.run(queryOf({}), { alpha: many }, { ...context, settingOf: settingReader(given) });
    expect([answer.events.length, answer.pagination.totalCount]).toEqual([length, 20_001]);
  });
});

describe("the stored events", () => {
  const [acled, gdelt] = [alphaEvents.parts.acled, alphaEvents.parts.gdelt];
  const ids = (events: readonly AlphaConflictEvent[] | undefined) => events?.map(({ id }) => id);

  test.each([
    ["in the first millisecond of the window", windowBegins, ["e"]],
    ["a millisecond before it", windowBegins - 1, []],
  ])("%s", (_name, occurredAt, kept) => {
    for (const part of [acled, gdelt]) expect(ids(part.select?.([alphaEvent("e", occurredAt)], noon))).toEqual(kept);
  });

  test("GDELT's exports accumulate, with the newest version of each event; ACLED's window is replaced", () => {
    const [kept, fresh] = [[alphaEvent("a", today), alphaEvent("b", today)], [alphaEvent("b", today, "Mali")]];
    const merged = gdelt.merge?.(kept, fresh, { now: noon, settingOf, memory: { spans: [] } }) ?? [];
    expect(ids(merged)).toEqual(["a", "b"]);
    expect(merged[1]).toMatchObject({ country: "Mali" });
    expect(acled.merge).toBeUndefined();
  });

  const span = (first: number, last = first): ExportSpan => ({ firstExportAt: first, lastExportAt: last });
  const missedAt = (spans: readonly ExportSpan[], now: number) =>
    gdelt.plan({ kept: [], memory: { spans }, now, settingOf })?.missed ?? [];
  const remembered = (spans: readonly ExportSpan[], read: readonly ExportSpan[], now: number) =>
    gdelt.memory?.after({ spans }, read, { now, settingOf }).spans ?? [];

  test("the first run reads only the newest exports, the next the missing ones before them, newest first", () => {
    expect(missedAt([], noon)).toEqual([]);
    const kept = [span(noon - 3 * HOUR_MS, noon - 15 * MINUTE_MS)];
    expect(missedAt(kept, noon)[0]).toBe(noon - 3 * HOUR_MS - 15 * MINUTE_MS);
    const later = missedAt(kept, noon + 5 * HOUR_MS);
    expect(later.slice(0, 13)).toEqual(Array.from({ length: 13 }, (_, at) => noon + (180 - 15 * at) * MINUTE_MS));
    expect(later[13]).toBe(noon - 3 * HOUR_MS - 15 * MINUTE_MS);
    expect(later).toHaveLength(96);
  });

  test("successive runs cover all thirty days, and a day later the oldest export is dropped", () => {
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

const betaEvent = (id: string, days: readonly [first: number, last: number], deathsBest = 1): BetaViolenceEvent => ({
  id,
  country: "Sudan",
  sideA: "A",
  sideB: "B",
  deathsBest,
  deathsHigh: 3,
  deathsLow: 0,
  dateStart: today - days[0] * DAY_MS,
  dateEnd: today - days[1] * DAY_MS,
  violenceType: "BETA_VIOLENCE_TYPE_NON_STATE",
});

describe("list-beta-events", () => {
  const beta = snapshotOf(
    viewOf(betaEvents, { annual: [betaEvent("long", [20, 10])], candidate: [betaEvent("day", [5, 5])] }),
  );

  test.each([
    ["all of them", undefined, undefined, ["day", "long"]],
    ["from the last moment of a day", today - 4 * DAY_MS - 1, undefined, ["day"]],
    ["from the first moment of the next", today - 4 * DAY_MS, undefined, []],
    ["until the first moment of the first day", undefined, today - 20 * DAY_MS, ["long"]],
    ["until just before it", undefined, today - 20 * DAY_MS - 1, []],
    ["a moment within", today - 15 * DAY_MS + HOUR_MS, today - 15 * DAY_MS + HOUR_MS, ["long"]],
    ["between the two", today - 9 * DAY_MS, today - 5 * DAY_MS - 1, []],
    ["an end before the start on the same day", today - 5 * DAY_MS + 2, today - 5 * DAY_MS + 1, []],
  ])("%s", (_name, start, end, ids) => {
    for (const country of ["", "SD", "sudan"]) {
      const query = { start, end, country, pageSize: 2_000, cursor: "" };
      const answer = listBetaEvents.run(
        query,
        { beta },
        { observations: {}, now: () => noon, paginate, simulated: false, settingOf },
      );
      expect(answer.events.map(({ id }) => id)).toEqual(ids);
    }
  });

  test.each([
    ["364 days before the newest", 364, ["old", "new"]],
    ["365 days before it", 365, ["new"]],
  ])("an event that ended %s", (_name, days, ids) => {
    const view = viewOf(betaEvents, {
      annual: [betaEvent("old", [days + 30, days])],
      candidate: [betaEvent("new", [0, 0])],
    });
    const found = view.find("", { first: Number.NEGATIVE_INFINITY, last: Number.POSITIVE_INFINITY });
    expect(
      found
        .slice(0, 9)
        .map(({ id }) => id)
        .sort(),
    ).toEqual(ids.toSorted());
  });

  test("an event in both releases is served from the candidate", () => {
    const view = viewOf(betaEvents, { annual: [betaEvent("e", [0, 0], 1)], candidate: [betaEvent("e", [0, 0], 2)] });
    const found = view.find("", { first: 0, last: Number.POSITIVE_INFINITY });
    expect(found.slice(0, found.length)).toMatchObject([{ deathsBest: 2 }]);
  });

  test("the list is stored in the order of its pages; bodies stored by id give the same pages", () => {
    const ended = [9, 2, 5, 0, 5, 7];
    const byId = ended.map((daysAgo, at) => betaEvent(`e${at}`, [daysAgo + at, daysAgo]));
    const stored = betaEvents.parts.annual.select?.(byId, noon) ?? [];
    const ids = ["e3", "e1", "e2", "e4", "e5", "e0"];
    expect(stored.map(({ id }) => id)).toEqual(ids);
    const [older, newer] = [byId, stored].map((annual) => viewOf(betaEvents, { annual, candidate: [] }));
    const asked = { first: Number.NEGATIVE_INFINITY, last: Number.POSITIVE_INFINITY };
    for (const view of [older, newer]) expect(view?.find("", asked).slice(0, 9)).toEqual(stored);
  });

  test.each([
    [100, undefined],
    [99, "99 events, needed 100"],
  ])("%i events at the gate", (count, refusal) => {
    const candidate = Array.from({ length: count }, (_, at) => betaEvent(`e${at}`, [0, 0]));
    expect(betaEvents.gate({ annual: [], candidate })).toBe(refusal);
  });
});
