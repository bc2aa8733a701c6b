import { describe, expect, test } from "vitest";
import { itinerary, leg } from "../testing/itineraries.js";
import { cabinFrom, fitting, stopsMaxFrom, windowFrom } from "./itineraries.js";

describe("filter values, with a default for unknown ones", () => {
  test.each([
    ["business", "BUSINESS"],
    ["PREMIUM_ECONOMY", "PREMIUM_ECONOMY"],
    ["royal", "ECONOMY"],
    ["", "ECONOMY"],
  ])("the cabin %j is parsed as %s", (text, expected) => {
    expect(cabinFrom(text)).toBe(expected);
  });

  test.each([
    ["NON_STOP", 0],
    ["one_stop", 1],
    ["TWO_PLUS_STOPS", Number.POSITIVE_INFINITY],
    ["ANY", Number.POSITIVE_INFINITY],
    ["3", Number.POSITIVE_INFINITY],
  ])("the limit %j allows at most %d stops", (text, expected) => {
    expect(stopsMaxFrom(text)).toBe(expected);
  });

  test.each([
    ["6-20", [360, 1_200]],
    ["06-6", [360, 360]],
    ["0-24", [0, 1_440]],
    ["0-25", undefined],
    ["20-6", undefined],
    ["morning", undefined],
    ["", undefined],
  ])("the departure window %j is parsed as %j", (text, expected) => {
    expect(windowFrom(text)).toEqual(expected);
  });
});

describe("itineraries that fit", () => {
  const wishes = { maxStops: "", departureWindow: "", airlines: [], sortBy: "" };
  const leaving = (time: string) => itinerary({ legs: [leg({ departureDatetime: `2026-12-10T${time}:00` })] });

  test.each([
    ["05:59", 0],
    ["06:00", 1],
    ["20:00", 1],
    ["20:01", 0],
  ])("the window 6-20: a departure at %s is listed %d times", (time, count) => {
    expect(fitting([leaving(time)], { ...wishes, departureWindow: "6-20" })).toHaveLength(count);
  });

  test.each([
    ["NON_STOP", [0]],
    ["ONE_STOP", [0, 1]],
    ["TWO_PLUS_STOPS", [0, 1, 2]],
    ["whatever", [0, 1, 2]],
  ])("the limit %s keeps itineraries with %j stops", (maxStops, expected) => {
    const all = [0, 1, 2].map((stops) => itinerary({ stops }));
    expect(fitting(all, { ...wishes, maxStops }).map(({ stops }) => stops)).toEqual(expected);
  });

  test("an itinerary is kept only if requested airlines sell all its legs", () => {
    const mixed = itinerary({ legs: [leg(), leg({ airlineCode: "BA" })] });
    const matching = (airlines: readonly string[]) => fitting([itinerary(), mixed], { ...wishes, airlines }).length;
    expect([matching([]), matching(["tk"]), matching(["TK", "BA"]), matching(["BA"])]).toEqual([2, 1, 2, 0]);
  });

  test.each([
    ["CHEAPEST", ["a", "b", "c"]],
    ["DURATION", ["c", "b", "a"]],
    ["DEPARTURE_TIME", ["b", "a", "c"]],
    ["ARRIVAL_TIME", ["c", "a", "b"]],
    ["", ["a", "b", "c"]],
    ["COMFORT", ["a", "b", "c"]],
  ])("itineraries are sorted in the order %s", (sortBy, expected) => {
    const of = (flightNumber: string, price: number, durationMinutes: number, from: string, to: string) =>
      itinerary({
        price,
        durationMinutes,
        legs: [leg({ flightNumber, departureDatetime: from, arrivalDatetime: to })],
      });
    const all = [of("b", 2, 20, "T01", "T30"), of("c", 3, 10, "T03", "T10"), of("a", 1, 30, "T02", "T20")];
    expect(fitting(all, { ...wishes, sortBy }).map(({ legs }) => legs[0]?.flightNumber)).toEqual(expected);
  });
});
