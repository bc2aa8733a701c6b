import { expect, test } from "vitest";
import { started } from "../../../simulator/testing/harness.js";

interface Location {
  readonly latitude: number;
  readonly daily: {
    readonly time: readonly string[] | string;
    readonly temperature_2m_mean: readonly (number | null)[];
    readonly precipitation_sum: readonly (number | null)[];
  };
}

const NOW = "2026-11-18T12:00:00Z";
const archive = (places: string, from: string, to: string): string =>
  `https://archive-api.open-meteo.com/v1/archive?${places}&start_date=${from}&end_date=${to}&daily=temperature_2m_mean,precipitation_sum&timezone=UTC`;
const TWO = "latitude=48.9,-33.9&longitude=2.4,151.2";
const ONE = "latitude=48.9&longitude=2.4";
const meanOf = (values: readonly (number | null)[]): number =>
  values.reduce((sum: number, value) => sum + (value ?? Number.NaN), 0) / values.length;

test("one location is answered with an object, and several with an array in the requested order; each location is moved to a grid point", async () => {
  const simulator = await started(NOW);
  const location: Location = JSON.parse(await simulator.text(archive(ONE, "2026-11-01", "2026-11-03")));
  const two: readonly Location[] = JSON.parse(await simulator.text(archive(TWO, "2026-11-01", "2026-11-03")));
  expect(location).toEqual({
    latitude: expect.any(Number),
    longitude: expect.any(Number),
    elevation: expect.any(Number),
    generationtime_ms: expect.any(Number),
    utc_offset_seconds: 0,
    timezone: "GMT",
    timezone_abbreviation: "GMT",
    daily_units: { time: "iso8601", temperature_2m_mean: "°C", precipitation_sum: "mm" },
    daily: {
      time: ["2026-11-01", "2026-11-02", "2026-11-03"],
      temperature_2m_mean: [expect.any(Number), expect.any(Number), expect.any(Number)],
      precipitation_sum: [expect.any(Number), expect.any(Number), expect.any(Number)],
    },
  });
  expect(location.latitude).not.toBe(48.9);
  expect(two.map(({ latitude }) => Math.round(latitude * 10) / 10)).toEqual([48.9, -33.9]);
  expect(two[0]).toEqual(location);
});

test("the values of today, of the two days before and of the future are null", async () => {
  const { daily }: Location = JSON.parse(await (await started(NOW)).text(archive(ONE, "2026-11-14", "2026-11-19")));
  const isPresent = (values: readonly (number | null)[]): readonly boolean[] => values.map((value) => value !== null);
  expect(isPresent(daily.temperature_2m_mean)).toEqual([true, true, false, false, false, false]);
  expect(isPresent(daily.precipitation_sum)).toEqual([true, true, false, false, false, false]);
});

test("the weather of a day does not depend on the requested span or on the time of the request", async () => {
  const simulator = await started(NOW);
  const temperatures = async (from: string, to: string): Promise<readonly (number | null)[]> => {
    const { daily }: Location = JSON.parse(await simulator.text(archive(ONE, from, to)));
    return daily.temperature_2m_mean;
  };
  const winter = await temperatures("2023-12-20", "2024-03-05");
  simulator.clock.set(Date.parse("2027-04-01T00:00:00Z"));
  expect(await temperatures("2024-02-25", "2024-03-05")).toEqual(winter.slice(-10));
});

test("in thirty years of weather, the two hemispheres have opposite seasons, and some days have no rain", async () => {
  const text = await (await started(NOW)).text(archive(TWO, "1991-01-01", "2020-12-31"));
  const [north, south]: readonly Location[] = JSON.parse(text);
  const july = ({ daily }: Location): number =>
    meanOf(daily.temperature_2m_mean.filter((_, index) => daily.time[index]?.slice(5, 7) === "07")) -
    meanOf(daily.temperature_2m_mean);
  if (north === undefined || south === undefined) throw new Error("two locations were requested");
  expect(north.daily.time.length).toBe(10_958);
  expect(july(north)).toBeGreaterThan(5);
  expect(july(south)).toBeLessThan(-4);
  const dry = north.daily.precipitation_sum.filter((rain) => rain === 0).length / 10_958;
  expect([dry > 0.5, dry < 0.7]).toEqual([true, true]);
  expect(north.daily.precipitation_sum.every((rain) => rain !== null && rain >= 0)).toBe(true);
});

test.each([
  ["no latitude", archive("longitude=2.4", "2026-11-01", "2026-11-03")],
  ["an odd number of coordinates", archive("latitude=1,2&longitude=3", "2026-11-01", "2026-11-03")],
  ["a latitude in words", archive("latitude=north&longitude=3", "2026-11-01", "2026-11-03")],
  ["no day", archive(ONE, "", "2026-11-03")],
  ["a span that ends before it begins", archive(ONE, "2026-11-03", "2026-11-01")],
  ["no variable", archive(ONE, "2026-11-01", "2026-11-03").replace(/&daily=[^&]*/, "")],
])("a request with %s is refused with 400 and a reason", async (_, url) => {
  const answer = await (await started(NOW)).get(url);
  expect([answer.status, await answer.json()]).toEqual([400, { error: true, reason: expect.any(String) }]);
});

test("simulated faults can empty the answer, change its layout or spoil its values", async () => {
  const simulator = await started(NOW);
  const url = archive(TWO, "2026-11-01", "2026-11-03");
  const healthy: readonly Location[] = JSON.parse(await simulator.text(url));
  const broken = async (kind: "changed" | "empty" | "bad-row"): Promise<readonly Location[]> => {
    simulator.faults.set({ upstream: "open-meteo-archive" }, { kind });
    return JSON.parse(await simulator.text(url));
  };
  const nothing = { time: [], temperature_2m_mean: [], precipitation_sum: [] };
  expect((await broken("empty")).map(({ daily }) => daily)).toEqual([nothing, nothing]);
  for (const { daily } of await broken("changed")) expect(daily).not.toHaveProperty("temperature_2m_mean");
  const [first, second] = healthy;
  expect(await broken("bad-row")).toEqual([first, { ...second, daily: { ...second?.daily, time: "abc" } }]);
});
