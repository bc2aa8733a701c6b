import { describe, expect, test } from "vitest";
import { answerOf, failed, fresh, miss, queryOf } from "../../../../test/support/operations.js";
import type { ScheduledFlight } from "../records/flights.js";
import { type AirportDepartures, carrierOps } from "../rules/carrier-ops.js";
import { carrier, flight, flights } from "../testing/scheduled-flights.js";
import { getCarrierOps } from "./get-carrier-ops.js";

describe("operations of carriers", () => {
  const page = (name: string, ...departures: readonly ScheduledFlight[]): AirportDepartures => ({
    airport: name,
    updatedAt: 5,
    flights: departures,
  });
  const cancelled = { cancelled: true, departureDelayMinutes: 30 };

  test("percentages are based on all flights, and the mean delay on late flights only", () => {
    const late = [flight({ departureDelayMinutes: 1 }), flight({ departureDelayMinutes: 60 })];
    expect(carrierOps([page("IST", ...late, flight(cancelled), ...flights(3))], 3)).toEqual([
      {
        airport: "IST",
        avgDelayMinutes: 31,
        cancellationRate: 16.7,
        cancelledCount: 1,
        carrier: carrier("TK"),
        delayPct: 33.3,
        delayedCount: 2,
        totalFlights: 6,
        updatedAt: 5,
      },
    ]);
  });

  test.each([
    [0, 0],
    [1, 1],
  ])("a departure that is %d minutes late adds %d to the delayed flights", (departureDelayMinutes, delayedCount) => {
    expect(carrierOps([page("IST", flight({ departureDelayMinutes }))], 1)).toMatchObject([{ delayedCount }]);
  });

  test.each([
    [2, 3, 0],
    [3, 3, 1],
    [1, 1, 1],
  ])("a carrier with %d flights at a minimum of %d is listed %d times", (count, least, carriers) => {
    expect(carrierOps([page("IST", ...flights(count))], least)).toHaveLength(carriers);
  });

  test("a codeshare is not counted as a second flight, and a flight without a carrier is not counted", () => {
    const sold = flight({ isCodeshare: true });
    const nobody = flight({ operatingCarrier: {} });
    expect(carrierOps([page("IST", flight(), sold, nobody)], 1)).toMatchObject([{ totalFlights: 1 }]);
  });

  test("carriers are sorted by their shares of cancelled and of delayed flights, then by airport and code", () => {
    const of = (code: string, values: Partial<ScheduledFlight>) =>
      flight({ ...values, operatingCarrier: carrier(code) });
    const pages = [
      page("SAW", of("AA", {})),
      page("IST", of("DD", {}), of("CC", {}), of("BB", { departureDelayMinutes: 5 }), of("ZZ", { cancelled: true })),
    ];
    const order = carrierOps(pages, 1).map(({ airport, carrier: { iataCode } }) => `${airport} ${iataCode}`);
    expect(order).toEqual(["IST ZZ", "IST BB", "IST CC", "IST DD", "SAW AA"]);
  });

  test("unknown delays are absent and do not count as delays", () => {
    const { departureDelayMinutes: _delay, ...untold } = flight();
    const [unknown] = carrierOps([page("IST", untold, untold)], 1);
    expect(unknown).toMatchObject({ totalFlights: 2, cancelledCount: 0, cancellationRate: 0 });
    for (const member of ["avgDelayMinutes", "delayPct", "delayedCount"]) expect(unknown).not.toHaveProperty(member);
    const [carrier] = carrierOps([page("IST", untold, flight({ departureDelayMinutes: 8 }))], 1);
    expect(carrier).toMatchObject({ avgDelayMinutes: 8, delayPct: 50, delayedCount: 1 });
  });

  const plansOf = (search: string) => getCarrierOps.fetches?.departures.plans(queryOf(getCarrierOps, search));
  const departuresOf = (...codes: readonly string[]) =>
    codes.map((code) => ({ airport: code, direction: "departure" }));

  test.each([
    ["", ["ESB", "IST", "SAW"]],
    ["airports=LHR", ["LHR"]],
    ["airports=lhr", ["LHR"]],
    ["airports=lhr, Fra,&airports=cdg", ["CDG", "FRA", "LHR"]],
    ["airports=LHR,FRA&airports=CDG", ["CDG", "FRA", "LHR"]],
    ["airports=AAA,BBB,CCC,DDD,EEE,FFF", ["AAA", "BBB", "CCC", "DDD", "EEE", "FFF"]],
    ["airports=AAA,BBB,CCC,DDD,EEE,FFF,GGG", ["AAA", "BBB", "CCC", "DDD", "EEE", "FFF"]],
  ])("the query %j reads the airports %j", (search, airports) => {
    expect(plansOf(search)).toEqual(departuresOf(...airports));
  });

  const codes = (count: number) => Array.from({ length: count }, (_, index) => `A${String.fromCharCode(65 + index)}A`);

  test("20 airports are accepted; one more, or a string that is not an IATA code, is refused", () => {
    expect(plansOf(`airports=${codes(20).join(",")}`)).toHaveLength(6);
    for (const airports of [codes(21).join(","), "I1T", "LTFM", "IST LHR"]) {
      expect(() => queryOf(getCarrierOps, `airports=${airports}`)).toThrow();
    }
  });

  test.each([
    ["", 1],
    ["min_flights=0", 1],
    ["min_flights=4", 0],
    ["min_flights=2", 1],
  ])("with the query %j, a carrier with three flights is listed %d times", (search, count) => {
    const observed = { departures: [fresh(...flights(3)), miss, miss] };
    expect(answerOf(getCarrierOps, search, observed)).toMatchObject({
      carriers: { length: count },
      source: "aviationstack",
      updatedAt: 7,
    });
  });

  test.each([
    ["all airports without flights", [miss, miss, miss], "none"],
    ["no key", [failed("unconfigured"), failed("unconfigured"), failed("unconfigured")], "unavailable"],
    ["no calls left", [failed("budget"), failed("budget"), failed("budget")], "budget"],
    ["all airports failing", [failed(), failed(), failed()], "error"],
    ["one airport failing", [fresh(...flights(9)), failed(), miss], "partial"],
    ["airports failing for different reasons", [failed("budget"), failed(), failed()], "partial"],
  ])("%s: the list is empty, and `source` gives the reason", (_, departures, source) => {
    expect(answerOf(getCarrierOps, "", { departures })).toMatchObject({ carriers: [], source });
  });
});
