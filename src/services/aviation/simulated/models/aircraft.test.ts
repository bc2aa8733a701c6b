import { expect, test } from "vitest";
import { MINUTE_MS } from "../../../../kit/clock.js";
import { aircraftAt } from "./aircraft.js";

const NOON = Date.UTC(2026, 10, 18, 12);

test("aircraft depend only on seed and time", () => {
  expect(aircraftAt(1, NOON)).toEqual(aircraftAt(1, NOON));
  expect(aircraftAt(2, NOON)).not.toEqual(aircraftAt(1, NOON));
});

test("each address and callsign belongs to one aircraft", () => {
  const fleet = aircraftAt(1, NOON);
  expect(new Set(fleet.map(({ icao24 }) => icao24)).size).toBe(fleet.length);
  expect(new Set(fleet.map(({ callsign }) => callsign)).size).toBe(fleet.length);
});

test("every aircraft is on the globe; some are parked, some climb, some descend", () => {
  const fleet = aircraftAt(1, NOON);
  for (const { lat, lon, feet, onGround, icao24, track } of fleet) {
    expect([Math.abs(lat) <= 90, Math.abs(lon) <= 180, track >= 0 && track < 360]).toEqual([true, true, true]);
    expect(icao24).toMatch(/^[0-9a-f]{6}$/);
    if (onGround) expect(feet).toBe(0);
  }
  expect(fleet.some(({ onGround }) => onGround)).toBe(true);
  expect(fleet.some(({ feetPerMinute }) => feetPerMinute > 0)).toBe(true);
  expect(fleet.some(({ feetPerMinute }) => feetPerMinute < 0)).toBe(true);
});

test("no aircraft jumps within a minute", () => {
  const before = aircraftAt(1, NOON);
  for (const [index, after] of aircraftAt(1, NOON + MINUTE_MS).entries()) {
    const { lat = 0, lon = 0 } = before[index] ?? {};
    const east = Math.abs(((after.lon - lon + 540) % 360) - 180);
    expect(Math.hypot(after.lat - lat, east)).toBeLessThan(0.3);
  }
});
