import { expect, test } from "vitest";
import { failureOf, firstRequest, readBody } from "../../../../test/support/reading.js";
import { cloudflareRadar } from "./cloudflare-radar.js";

const request = firstRequest(cloudflareRadar, {}, { CLOUDFLARE_API_TOKEN: "secret" });
const anomaly = (values: object = {}) => ({
  uuid: "55a5",
  type: "LOCATION",
  status: "VERIFIED",
  startDate: "2026-11-12T10:15:00Z",
  locationDetails: { code: "SY", name: "Syria" },
  ...values,
});
const answer = (...trafficAnomalies: readonly object[]) => ({
  success: true,
  errors: [],
  result: { trafficAnomalies },
});
const read = (...rows: readonly object[]) => readBody(cloudflareRadar, request, answer(...rows));

test("the token is sent in a header, and is not part of the address", () => {
  expect(request.secretHeaders).toEqual({ Authorization: "Bearer secret" });
  expect(request.url).not.toContain("secret");
});

test("an ongoing anomaly has the end 0, and its position is the centre of its country", () => {
  expect(read(anomaly()).records).toEqual([
    {
      uuid: "55a5",
      type: "LOCATION",
      status: "VERIFIED",
      startDate: Date.UTC(2026, 10, 12, 10, 15),
      endDate: 0,
      locationCode: "SY",
      locationName: "Syria",
      latitude: expect.closeTo(35, 0),
      longitude: expect.closeTo(38.5, 0),
    },
  ]);
});

test("an anomaly of a network has the number and name of the network", () => {
  const network = { asn: 29256, name: "INT-PDN-STE-AS" };
  expect(read(anomaly({ type: "AS", endDate: "2026-11-12T12:00:00Z", asnDetails: network })).records).toMatchObject([
    { endDate: Date.UTC(2026, 10, 12, 12), asn: "29256", asnName: "INT-PDN-STE-AS" },
  ]);
});

test("the position of an anomaly in an unknown country is omitted, not set to zeros", () => {
  const [record] = read(anomaly({ locationDetails: { code: "ZZ", name: "?" } })).records;
  expect(record).not.toHaveProperty("latitude");
  expect(read(anomaly({ locationDetails: null })).records[0]).not.toHaveProperty("locationCode");
});

test("an anomaly of a network takes its country from the network", () => {
  const asnDetails = { asn: "29256", name: "INT-PDN-STE-AS", location: { code: "SY", name: "Syria" } };
  for (const locationDetails of [null, undefined, { code: null, name: null }]) {
    expect(read(anomaly({ type: "AS", asnDetails, locationDetails })).records).toMatchObject([
      { asn: "29256", locationCode: "SY", locationName: "Syria", latitude: expect.closeTo(35, 0) },
    ]);
  }
});

test("a name or number that is null is omitted, and its row is valid", () => {
  const rows = [
    anomaly({
      type: "AS",
      asnDetails: { asn: 29_256, name: null, location: { code: "SY", name: null } },
      locationDetails: null,
    }),
    anomaly({ asnDetails: null, locationDetails: null }),
    anomaly({ asnDetails: { asn: 0, name: "" }, locationDetails: { code: "SY", name: null } }),
  ];
  const { records, rowsBad } = read(...rows);
  expect(rowsBad).toBe(0);
  const fieldNames = records.map((record) =>
    Object.keys(record as object).filter((name) => /^asn|^location/.test(name)),
  );
  expect(fieldNames).toEqual([["asn", "locationCode"], [], ["locationCode"]]);
  expect(JSON.stringify(records)).not.toMatch(/null|""/);
});

test("a row with a bad time is skipped", () => {
  expect(read(anomaly(), anomaly({ startDate: "yesterday" }), anomaly())).toMatchObject({ rowsRead: 3, rowsBad: 1 });
});

test("an answer that does not report success is reported as a changed document", () => {
  expect(failureOf(() => readBody(cloudflareRadar, request, { success: false, result: null })).kind).toBe("changed");
});
