import { describe, expect, test } from "vitest";
import { silentTally } from "../../../contract/row-tally.js";
import { settingReader } from "../../../contract/setting.js";
import { HOUR_MS, MINUTE_MS } from "../../../kit/clock.js";
import { sampledAirports } from "../rules/airports/airport-coverage.js";
import { airportStatuses } from "../rules/airports/airport-status.js";
import type { AirportSample } from "../sources/aviationstack-departures.js";
import type { FaaRecord } from "../sources/faa-status.js";
import type { AirportNotice } from "../sources/icao-notams.js";
import { airportDelays } from "./airport-delays.js";

const NOW = Date.UTC(2026, 10, 21, 9);
const { faa, departures, notams } = airportDelays.parts;

const sample = (iata: string, sampledAt?: number): AirportSample => ({
  iata,
  totalFlights: 20,
  countedFlights: 20,
  cancelledFlights: 0,
  delayedFlights: 0,
  averageDelayMinutes: 0,
  ...(sampledAt !== undefined && { sampledAt }),
});

describe("the stored records", () => {
  test("a bulletin is stored while it is younger than two hours", () => {
    const at = (ageMs: number): FaaRecord => ({ kind: "bulletin", updatedAt: NOW - ageMs });
    expect(faa.select?.([at(2 * HOUR_MS - 1)], NOW, silentTally)).toHaveLength(1);
    expect(faa.select?.([at(2 * HOUR_MS)], NOW, silentTally)).toEqual([]);
  });

  test("a sample younger than three hours is stored with the time at which it was read", () => {
    const samples = [sample("LHR"), sample("CDG", NOW - 3 * HOUR_MS + 1), sample("FRA", NOW - 3 * HOUR_MS)];
    expect(departures.select?.(samples, NOW, silentTally)).toEqual([
      sample("LHR", NOW),
      sample("CDG", NOW - 3 * HOUR_MS + 1),
    ]);
  });

  test("a notice is stored until it ends; the stored notice states when it was read and whether it is in force", () => {
    const notice = (changes: Partial<AirportNotice>): AirportNotice => ({ iata: "KRT", kind: "closure", ...changes });
    const marks: readonly (readonly [changes: Partial<AirportNotice>, isInForce: boolean | undefined])[] = [
      [{}, true],
      [{ endsAt: NOW + 1 }, true],
      [{ endsAt: NOW }, undefined],
      [{ startsAt: NOW }, true],
      [{ startsAt: NOW + 1 }, false],
      [{ hours: "DAILY 0800-1000" }, true],
      [{ hours: "DAILY 1000-1200" }, false],
      [{ text: "AD CLSD DLY 2200-0400" }, false],
      [{ text: "AD CLSD", readAt: NOW - 1 }, true],
    ];
    const kept = marks.filter(([, isInForce]) => isInForce !== undefined);
    expect(
      notams.select?.(
        marks.map(([changes]) => notice(changes)),
        NOW,
        silentTally,
      ),
    ).toEqual(kept.map(([changes, isInForce]) => ({ ...notice({ readAt: NOW, ...changes }), isInForce })));
  });

  test("a stored notice closes its airport once it starts, even if the upstream's answer stays the same", () => {
    const later: AirportNotice = { iata: "KRT", kind: "closure", text: "AD CLSD", startsAt: NOW + HOUR_MS };
    const first = notams.select?.([later], NOW, silentTally) ?? [];
    const second = notams.select?.(first, NOW + HOUR_MS, silentTally) ?? [];
    const closureOf = (notices: readonly AirportNotice[]) =>
      airportStatuses({ faa: [], samples: [], notices }).get("KRT")?.notices?.closure;
    expect([closureOf(first), closureOf(second)]).toEqual([undefined, expect.objectContaining(later)]);
  });
});

const context = { now: NOW, settingOf: settingReader({}) };

describe("the sweep of the departures", () => {
  test("a new sample replaces only the older sample of the same airport", () => {
    const kept = [sample("LHR", NOW - HOUR_MS), sample("CDG", NOW - HOUR_MS)];
    expect(
      departures.merge?.(kept, [sample("CDG"), sample("YYZ")], {
        ...context,
        memory: { askedAt: {} },
        tally: silentTally,
      }),
    ).toEqual([sample("YYZ"), sample("LHR", NOW - HOUR_MS), sample("CDG")]);
  });

  test("the sweep requests only airports without a fresh sample, and nothing while every airport has one", () => {
    const kept = sampledAirports.map(({ iata }) => sample(iata, NOW - 54 * MINUTE_MS));
    const memory = { askedAt: {} };
    expect(departures.plan({ kept, memory, ...context })).toBeUndefined();
    expect(departures.plan({ kept: kept.slice(1), memory, ...context })).toEqual({
      airports: [sampledAirports[0]],
      now: NOW,
    });
  });

  test("an airport is not due right after a request, even if the request failed and the stored sample is old", () => {
    const { memory } = departures;
    const requested = [{ iata: "LHR", askedAt: NOW }];
    const after = memory?.after({ askedAt: { LHR: 1, CDG: 2 } }, requested, context) ?? memory?.initial;
    expect(after).toEqual({ askedAt: { LHR: NOW, CDG: 2 } });
    const kept = [sample("LHR", NOW - 3 * HOUR_MS)];
    const due = departures.plan({ kept, memory: after ?? { askedAt: {} }, ...context })?.airports ?? [];
    expect(due.map(({ iata }) => iata)).not.toContain("LHR");
  });
});

test("the dataset is not published if no source answers", () => {
  const nothing = { faa: [], departures: [], notams: [] };
  expect(airportDelays.gate(nothing)).toBe("no source has records");
  expect(airportDelays.gate({ ...nothing, faa: [{ kind: "bulletin", updatedAt: NOW }] })).toBeUndefined();
  expect(airportDelays.newestAt(nothing)).toBeNull();
  expect(airportDelays.newestAt({ ...nothing, departures: [sample("LHR", NOW)] })).toBe(NOW);
});
