import { expect, test } from "vitest";
import { absent, snapshotOf, storedAnswerOf } from "../../../../test/support/stored-answers.js";
import { viewOf } from "../../../../test/support/views.js";
import { internetTrafficAnomalies } from "../datasets/internet-traffic-anomalies.js";
import type { TrafficAnomaly } from "../records.js";
import { listInternetTrafficAnomalies } from "./list-internet-traffic-anomalies.js";

const anomaly = (uuid: string, startDate: number, locationCode?: string): TrafficAnomaly => ({
  uuid,
  type: "LOCATION",
  status: "VERIFIED",
  startDate,
  endDate: 0,
  ...(locationCode !== undefined && { locationCode }),
});
const anomalies = [anomaly("old", 1, "SY"), anomaly("new", 3, "SY"), anomaly("iraq", 2, "IQ"), anomaly("network", 4)];
const traffic = snapshotOf(viewOf(internetTrafficAnomalies, { anomalies }));

test.each([
  ["", ["network", "new", "iraq", "old"]],
  ["country=sy", ["new", "old"]],
  ["country=Iraq", ["iraq"]],
  ["country=FR", []],
])("list-internet-traffic-anomalies with the query %j returns the anomalies %j, newest first", (search, uuids) => {
  const answer = storedAnswerOf(listInternetTrafficAnomalies, search, { traffic });
  expect(answer).toMatchObject({ anomalies: uuids.map((uuid) => ({ uuid })), totalCount: uuids.length });
});

test("list-internet-traffic-anomalies is empty while nothing is stored", () => {
  expect(storedAnswerOf(listInternetTrafficAnomalies, "", { traffic: absent })).toEqual({
    anomalies: [],
    totalCount: 0,
  });
});
