import { beforeAll, describe, expect, test } from "vitest";
import type { AnySource } from "../src/contract/source.js";
import { type Reading, readRows } from "../src/ingest/read-rows.js";
import type { PlannedRequest } from "../src/ingest/requests.js";
import { DAY_MS, HOUR_MS } from "../src/kit/clock.js";
import { type ManualClock, manualClock } from "../src/kit/manual-clock.js";
import type { StoredDisaster } from "../src/services/climate/records.js";
import { eonet } from "../src/services/climate/sources/events/eonet.js";
import { gdacs } from "../src/services/climate/sources/events/gdacs.js";
import { oceanTemperature } from "../src/services/climate/sources/ncei.js";
import { seaLevel } from "../src/services/climate/sources/sea-level.js";
import { openAq } from "../src/services/climate/sources/stations/openaq.js";
import type { PopulationRow } from "../src/services/displacement/records.js";
import { unhcrPopulation } from "../src/services/displacement/sources/unhcr.js";
import type { TrafficAnomaly } from "../src/services/infrastructure/records.js";
import { cloudflareRadar } from "../src/services/infrastructure/sources/cloudflare-radar.js";
import { type Simulator, startSimulator } from "../src/simulator/simulator.js";
import { firstRequest, requestsOf, servedOf, whileAbsent } from "./support/reading.js";

// The simulated upstreams must behave like the real ones; otherwise the demo does not exercise the code that handles
// real answers.

const NOW = Date.parse("2026-11-18T12:00:00Z");

describe("the simulated upstreams", () => {
  let simulator: Simulator;
  let clock: ManualClock;

  beforeAll(async () => {
    clock = manualClock(NOW);
    simulator = await startSimulator({ clock, seed: 1 });
    return () => simulator.close();
  });

  async function answerOf(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    return await fetch(url.replace(/^https:\//, simulator.baseUrl), { headers });
  }

  async function read<T>(source: AnySource, plan: object = {}): Promise<readonly T[]> {
    const request = firstRequest(source, plan);
    const answer = await answerOf(request.url);
    const bytes = Buffer.from(await answer.arrayBuffer());
    return readRows(source, request, bytes, answer.headers.get("content-type") ?? "").records as readonly T[];
  }

  test("GDACS shows announced storms, ongoing droughts and past events, of one country and of several", async () => {
    const all: StoredDisaster[] = [];
    for (const day of Array.from({ length: 60 }, (_, index) => index)) {
      clock.set(NOW + day * DAY_MS);
      const alerts = await read<StoredDisaster>(gdacs);
      expect(alerts.filter(({ observedAt }) => observedAt > clock.now())).toEqual([]);
      for (const { status, startedAt = 0 } of alerts) expect(status === "alert").toBe(startedAt > clock.now());
      all.push(...alerts);
    }
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set(["alert", "ongoing", "past"]));
    const droughts = all.filter(({ type }) => type === "drought");
    expect(new Set(droughts.map(({ status }) => status))).toEqual(new Set(["ongoing"]));
    expect(all.some(({ countryCodes = [] }) => countryCodes.length === 2)).toBe(true);
    const counted = new Set(all.filter(({ affectedPopulation }) => affectedPopulation).map(({ type }) => type));
    expect(counted).toEqual(new Set(["cyclone", "wildfire", "volcano"]));
  });

  test("NCEI lists a version without data, which the source skips to reach the latest series", async () => {
    const urls: string[] = [];
    let request: PlannedRequest | undefined = firstRequest(oceanTemperature, {});
    while (request !== undefined) {
      const answer = await answerOf(request.url);
      urls.push(`${answer.status} ${request.url.split("global-surface-temperature/")[1]}`);
      const bytes = Buffer.from(await answer.arrayBuffer());
      request =
        answer.status === 404 ? whileAbsent(request)[1] : readRows(oceanTemperature, request, bytes, undefined).more[0];
    }
    expect(urls).toEqual([
      "200 ",
      "404 v6.2/access/timeseries/",
      "200 v6.1/access/timeseries/",
      expect.stringMatching(/^200 v6\.1\/access\/timeseries\/aravg\.mon\.ocean\.90S\.90N\.v6\.1\.0\.\d{6}\.asc$/),
    ]);
  });

  test("NASA's current rate of sea level rise is read, not the rate of 1993", async () => {
    expect(await read(seaLevel)).toEqual([{ mmAbove1993: expect.any(Number), mmPerYear: 4.2 }]);
  });

  test("GDACS answers 400 at the former address of its JSON map", async () => {
    expect((await answerOf("https://www.gdacs.org/gdacsapi/api/events/geteventlist/MAP")).status).toBe(400);
  });

  test("OpenAQ omits readings before the requested time and has several stations in one town", async () => {
    clock.set(NOW);
    const requests = requestsOf(openAq, { since: NOW - 2 * HOUR_MS });
    const answers: [PlannedRequest, Reading][] = [];
    for (const request of requests) {
      const answer = await answerOf(request.url, { "X-API-Key": "demo-openaq-key" });
      const reading = readRows(openAq, request, Buffer.from(await answer.arrayBuffer()), undefined);
      expect(reading.more).toHaveLength(1);
      answers.push([request, reading]);
    }
    const stations = servedOf(openAq, answers);
    expect(stations.length).toBeGreaterThan(500);
    expect(stations.filter(({ measuredAt }) => measuredAt < NOW - 2 * HOUR_MS)).toEqual([]);
    expect(
      stations.filter(({ city }) => /^Simulated station \d+, Simulated town of /.test(city)).length,
    ).toBeGreaterThan(50);
    expect(new Set(stations.map(({ city }) => city)).size).toBe(stations.length);
  });

  test("EONET publishes fires late and sometimes labels its JSON as RSS", async () => {
    const types = new Set<string | null>();
    for (const turn of [0, 1]) {
      clock.set(NOW + turn * 3 * HOUR_MS);
      types.add((await answerOf(firstRequest(eonet, {}).url)).headers.get("content-type"));
      const fires = (await read<StoredDisaster>(eonet)).filter(({ type }) => type === "wildfire");
      const ages = fires.map(({ observedAt }) => clock.now() - observedAt);
      expect(Math.min(...ages)).toBeGreaterThanOrEqual(60 * HOUR_MS);
      expect(Math.min(...ages)).toBeLessThan(7 * DAY_MS);
    }
    expect(types).toEqual(new Set(["application/json; charset=utf-8", "application/rss+xml; charset=utf-8"]));
  });

  test("Cloudflare Radar keeps a network's country in its details and has networks without a name", async () => {
    const request = firstRequest(cloudflareRadar, {}, { CLOUDFLARE_API_TOKEN: "demo-cloudflare-token" });
    const answer = await answerOf(request.url, request.secretHeaders);
    const body: { result: { trafficAnomalies: readonly { asnDetails?: object; locationDetails: unknown }[] } } =
      JSON.parse(await answer.text());
    const networks = body.result.trafficAnomalies.filter(({ asnDetails }) => asnDetails !== undefined);
    expect(networks.every(({ locationDetails }) => locationDetails === null)).toBe(true);
    const { records, rowsBad } = readRows(cloudflareRadar, request, Buffer.from(JSON.stringify(body)), undefined);
    const read = (records as readonly TrafficAnomaly[]).filter(({ type }) => type === "AS");
    expect([read.length, rowsBad]).toEqual([networks.length, 0]);
    expect(read.every(({ asn, locationCode }) => asn !== undefined && locationCode !== undefined)).toBe(true);
    expect(new Set(read.map(({ asnName }) => asnName))).toEqual(new Set(["SIMULATED-AS", undefined]));
  });

  test("UNHCR reports nearly all stateless people under the origin `Stateless`", async () => {
    const rows = (await read<PopulationRow>(unhcrPopulation, { year: 2025 })).filter(({ stateless }) => stateless > 0);
    const origins = rows.map(({ originCode }) => originCode);
    expect(new Set(origins)).toEqual(new Set(["XXA", "-"]));
    expect(origins.filter((code) => code === "XXA").length).toBeGreaterThan(20);
  });
});
