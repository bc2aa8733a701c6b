import { describe, expect, test } from "vitest";
import { BUILT_AT, onOnePage, snapshotOf } from "../../../../test/support/stored-answers.js";
import { viewOf } from "../../../../test/support/views.js";
import { silentTally } from "../../../contract/row-tally.js";
import { settingReader } from "../../../contract/setting.js";
import { DAY_MS, HOUR_MS } from "../../../kit/clock.js";
import { betaEvents } from "../datasets/beta-events.js";
import type { BetaViolenceEvent } from "../records.js";
import { listBetaEvents } from "./list-beta-events.js";

const settingOf = settingReader({});

const noon = BUILT_AT;
const today = Date.UTC(2026, 10, 18);

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
    ["all events", undefined, undefined, ["day", "long"]],
    ["from the last moment of the one-day event", today - 4 * DAY_MS - 1, undefined, ["day"]],
    ["from the first moment after the one-day event", today - 4 * DAY_MS, undefined, []],
    ["until the first moment of the long event", undefined, today - 20 * DAY_MS, ["long"]],
    ["until just before the long event", undefined, today - 20 * DAY_MS - 1, []],
    ["a moment within the long event", today - 15 * DAY_MS + HOUR_MS, today - 15 * DAY_MS + HOUR_MS, ["long"]],
    ["between the two events", today - 9 * DAY_MS, today - 5 * DAY_MS - 1, []],
    ["an end before the start on the same day", today - 5 * DAY_MS + 2, today - 5 * DAY_MS + 1, []],
  ])("list-beta-events returns the events that overlap the requested time: %s", (_name, start, end, ids) => {
    for (const country of ["", "SD", "sudan"]) {
      const query = { start, end, country, pageSize: 2_000, cursor: "" };
      const answer = listBetaEvents.run(
        query,
        { beta },
        { observations: {}, now: () => noon, paginate: onOnePage, tally: silentTally, simulated: false, settingOf },
      );
      expect(answer.events.map(({ id }) => id)).toEqual(ids);
    }
  });

  test.each([
    ["served if it ended 364 days before the newest event", 364, ["old", "new"]],
    ["omitted if it ended 365 days before the newest event", 365, ["new"]],
  ])("an event is %s", (_name, days, ids) => {
    const view = viewOf(betaEvents, {
      annual: [betaEvent("old", [days + 30, days])],
      candidate: [betaEvent("new", [0, 0])],
    });
    const events = view.find("", { first: Number.NEGATIVE_INFINITY, last: Number.POSITIVE_INFINITY });
    expect(
      events
        .slice(0, 9)
        .map(({ id }) => id)
        .sort(),
    ).toEqual(ids.toSorted());
  });

  test("an event in an annual and a candidate release is served from the candidate release", () => {
    const view = viewOf(betaEvents, { annual: [betaEvent("e", [0, 0], 1)], candidate: [betaEvent("e", [0, 0], 2)] });
    const events = view.find("", { first: 0, last: Number.POSITIVE_INFINITY });
    expect(events.slice(0, events.length)).toMatchObject([{ deathsBest: 2 }]);
  });

  test("the list is stored in the order of its pages, and a list stored in the order of ids gives the same pages", () => {
    const ended = [9, 2, 5, 0, 5, 7];
    const byId = ended.map((daysAgo, at) => betaEvent(`e${at}`, [daysAgo + at, daysAgo]));
    const stored = betaEvents.parts.annual.select?.(byId, noon, silentTally) ?? [];
    const ids = ["e3", "e1", "e2", "e4", "e5", "e0"];
    expect(stored.map(({ id }) => id)).toEqual(ids);
    const [older, newer] = [byId, stored].map((annual) => viewOf(betaEvents, { annual, candidate: [] }));
    const allTime = { first: Number.NEGATIVE_INFINITY, last: Number.POSITIVE_INFINITY };
    for (const view of [older, newer]) expect(view?.find("", allTime).slice(0, 9)).toEqual(stored);
  });

  test.each([
    [100, undefined],
    [99, "99 events, needed 100"],
  ])("the result of the gate for %i events is $1", (count, refusal) => {
    const candidate = Array.from({ length: count }, (_, at) => betaEvent(`e${at}`, [0, 0]));
    expect(betaEvents.gate({ annual: [], candidate })).toBe(refusal);
  });
});
