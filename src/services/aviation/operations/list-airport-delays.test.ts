import { expect, test } from "vitest";
import { absent, snapshotOf, storedAnswerOf } from "../../../../test/support/stored-answers.js";
import { viewOf } from "../../../../test/support/views.js";
import { airports } from "../../../geography/airports.js";
import { airportDelays } from "../datasets/airport-delays.js";
import { listAirportDelays } from "./list-airport-delays.js";

const FAA_AT = Date.UTC(2026, 10, 18, 11);
const faa = [{ kind: "bulletin" as const, updatedAt: FAA_AT }];
const delays = snapshotOf(viewOf(airportDelays, { faa, departures: [], notams: [] }));

interface Alerts {
  readonly alerts: readonly { readonly iata: string; readonly severity: string }[];
  readonly pagination: { readonly totalCount: number };
}

test("list-airport-delays has a row for each monitored airport: normal if a source answered for it, else unknown", () => {
  const { alerts, pagination } = storedAnswerOf(listAirportDelays, "", { delays }) as Alerts;
  const severityOf = (iata: string) => alerts.find((alert) => alert.iata === iata)?.severity;
  expect([severityOf("JFK"), severityOf("LHR")]).toEqual([
    "FLIGHT_DELAY_SEVERITY_NORMAL",
    "FLIGHT_DELAY_SEVERITY_UNKNOWN",
  ]);
  expect([alerts.length, pagination.totalCount]).toEqual([airports.length, airports.length]);
});

test("list-airport-delays accepts and ignores `region` and `min_severity`", () => {
  const search = "region=AIRPORT_REGION_EUROPE&min_severity=FLIGHT_DELAY_SEVERITY_SEVERE";
  expect(storedAnswerOf(listAirportDelays, search, { delays })).toEqual(
    storedAnswerOf(listAirportDelays, "", { delays }),
  );
});

test("list-airport-delays is empty while nothing is stored", () => {
  expect(storedAnswerOf(listAirportDelays, "", { delays: absent })).toEqual({
    alerts: [],
    pagination: { nextCursor: "", totalCount: 0 },
  });
});
