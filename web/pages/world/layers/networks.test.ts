import { expect, test } from "vitest";
import type { TrafficAnomaly } from "../../../../src/sdk/index.js";
import { internetAnomalies } from "./networks.js";

const anomaly = { uuid: "a", startDate: 1, endDate: 0, status: "UNVERIFIED", locationCode: "IQ" } as TrafficAnomaly;

test("an anomaly states that its position is the centre of the country", () => {
  const { place, facts } = internetAnomalies.thing({ ...anomaly, latitude: 33, longitude: 44 });
  expect(place).toEqual({ lat: 33, lon: 44 });
  expect(facts()).toContainEqual(["Position", "centre of the country"]);
});

test("an anomaly without a position states no position", () => {
  const { place, facts } = internetAnomalies.thing(anomaly);
  expect(place).toBeUndefined();
  expect(facts().map(([name]) => name)).toEqual(["Start", "End", "Status"]);
});
