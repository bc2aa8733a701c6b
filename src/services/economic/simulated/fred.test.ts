import { expect, test } from "vitest";
import { recording, recordingsAbsent, started } from "../../../simulator/testing/harness.js";

const graph = (id: string): string => `https://fred.stlouisfed.org/graph/fredgraph.csv?id=${id}`;
const KEY = "abcdefghijklmnopqrstuvwxyz012345";
const api = (id: string, rest = ""): string =>
  `https://api.stlouisfed.org/fred/series/observations?series_id=${id}&api_key=${KEY}&file_type=json${rest}`;

interface Observations {
  readonly count: number;
  readonly observations: readonly { readonly date: string; readonly value: string }[];
}

const linesOf = (csv: string): readonly string[] => csv.trimEnd().split("\n");

test.skipIf(recordingsAbsent)("the graph download has the recording's header, months and number format", async () => {
  const real = recording("fred/fredgraph-CPIUFDSL.csv");
  const csv = await (await started("2025-04-20T00:00:00Z")).text(graph("CPIUFDSL"));
  const shapeOf = (text: string): string =>
    text.replace(/,\d+\.(\d+)$/gm, (_, decimals: string) => `,${decimals.length}`);
  expect(shapeOf(csv)).toBe(shapeOf(real));
});

test.skipIf(recordingsAbsent)("the API's envelope has the recording's fields and types", async () => {
  const recorded: Readonly<Record<string, object>> = JSON.parse(recording("fred/api-series-observations-4series.json"));
  const simulator = await started("2026-08-28T23:00:00Z");
  const answer = JSON.parse(await simulator.text(api("CPIAUCSL", "&sort_order=desc&limit=10")));
  const shapeOf = (value: object): string =>
    JSON.stringify(
      Object.entries(value)
        .map(([name, field]) => [name, Array.isArray(field) ? field.map(shapeOf) : typeof field])
        .sort(),
    );
  expect(shapeOf(answer)).toBe(shapeOf(recorded["DCOILWTICO"] ?? {}));
});

test.each([
  ["CPIAUCSL", "1947-01-01"],
  ["CPILFESL", "1957-01-01"],
  ["CPIUFDSL", "1947-01-01"],
  ["CPIENGSL", "1957-01-01"],
  ["CUSR0000SAH1", "1953-01-01"],
  ["CUSR0000SAS", "1956-01-01"],
])("%s begins on %s, with the same values in the graph download and in the API", async (id, first) => {
  const simulator = await started("2026-08-28T23:00:00Z");
  const [header, ...rows] = linesOf(await simulator.text(graph(id)));
  const { observations }: Observations = JSON.parse(await simulator.text(api(id)));
  expect(header).toBe(`observation_date,${id}`);
  expect(rows[0]).toMatch(new RegExp(`^${first},\\d+\\.\\d{3}$`));
  expect(observations.map(({ date, value }) => `${date},${value === "." ? "" : Number(value).toFixed(3)}`)).toEqual(
    rows,
  );
});

test("October 2025 is blank in the graph download and a dot in the API", async () => {
  const simulator = await started("2026-08-28T23:00:00Z");
  expect(linesOf(await simulator.text(graph("CPIAUCSL"))).filter((line) => line.endsWith(","))).toEqual([
    "2025-10-01,",
  ]);
  const { observations }: Observations = JSON.parse(await simulator.text(api("CPIAUCSL")));
  expect(observations.filter(({ value }) => value === ".").map(({ date }) => date)).toEqual(["2025-10-01"]);
});

test("as time passes, a row is appended on the 12th at 12:30 UTC, and earlier rows stay unchanged", async () => {
  const simulator = await started("2024-03-12T12:29:59Z");
  const before = await simulator.text(graph("CPIENGSL"));
  simulator.clock.advance(1_000);
  const after = await simulator.text(graph("CPIENGSL"));
  expect(after.startsWith(before)).toBe(true);
  expect(after.slice(before.length)).toMatch(/^2024-02-01,\d+\.\d{3}\n$/);
});

test("the same seed and clock give the same bytes, and another seed gives other bytes", async () => {
  const first = await (await started("2024-05-01T00:00:00Z")).text(graph("CPIAUCSL"));
  expect(await (await started("2024-05-01T00:00:00Z")).text(graph("CPIAUCSL"))).toBe(first);
  expect(await (await started("2024-05-01T00:00:00Z", { seed: 8 })).text(graph("CPIAUCSL"))).not.toBe(first);
});

test("the API honours range, order, limit and offset, but limit and offset do not change its count", async () => {
  const simulator = await started("2026-08-28T23:00:00Z");
  const range = "&observation_start=2020-01-01&observation_end=2020-12-31";
  const { count, observations }: Observations = JSON.parse(
    await simulator.text(api("CPIAUCSL", `${range}&sort_order=desc&limit=2&offset=1`)),
  );
  expect(count).toBe(12);
  expect(observations.map(({ date }) => date)).toEqual(["2020-11-01", "2020-10-01"]);
});

test.each([
  ["no key", api("CPIAUCSL").replace(/&api_key=\w+/, ""), "Variable api_key is not set."],
  ["a short key", api("CPIAUCSL").replace(KEY, "abc"), "is not a 32 character alpha-numeric lower-case string."],
  ["an upper-case key", api("CPIAUCSL").replace(KEY, KEY.toUpperCase()), "is not a 32 character"],
  ["an unknown series", api("NOSUCH"), "The series does not exist."],
])("the API refuses %s with FRED's own message", async (_, url, sentence) => {
  const answer = await (await started("2026-08-28T23:00:00Z")).get(url);
  expect(answer.status).toBe(400);
  expect(answer.headers.get("content-type")).toContain("application/json");
  expect(await answer.json()).toEqual({ error_code: 400, error_message: expect.stringContaining(sentence) });
});

test("an unknown series has no graph download", async () => {
  expect((await (await started("2026-08-28T23:00:00Z")).get(graph("NOSUCH"))).status).toBe(404);
});

test("a request with If-Modified-Since is answered with 304 until the next release", async () => {
  const simulator = await started("2024-03-01T00:00:00Z");
  const modified = (await simulator.get(graph("CPIAUCSL"))).headers.get("last-modified") ?? "";
  expect(modified).toBe("Mon, 12 Feb 2024 12:30:00 GMT");
  expect((await simulator.get(graph("CPIAUCSL"), { "If-Modified-Since": modified })).status).toBe(304);
  simulator.clock.set(Date.parse("2024-03-13T00:00:00Z"));
  expect((await simulator.get(graph("CPIAUCSL"), { "If-Modified-Since": modified })).status).toBe(200);
});

test("the graph download has an empty, a changed and a bad-row variant", async () => {
  const simulator = await started("2024-05-01T00:00:00Z");
  const healthy = linesOf(await simulator.text(graph("CPIAUCSL")));
  const broken = async (kind: "changed" | "empty" | "bad-row"): Promise<readonly string[]> => {
    simulator.faults.set({ upstream: "fred" }, { kind });
    return linesOf(await simulator.text(graph("CPIAUCSL")));
  };
  expect(await broken("empty")).toEqual(["observation_date,CPIAUCSL"]);
  const changed = await broken("changed");
  expect([changed[0], changed.length]).toEqual(["DATE;VALUE OF CPIAUCSL", healthy.length]);
  const spoilt = await broken("bad-row");
  expect(spoilt.length).toBe(healthy.length);
  expect(spoilt.filter((line, index) => line !== healthy[index])).toEqual(["2019-13-45,abc"]);
});

test("the broken variants of the API are well-formed JSON", async () => {
  const simulator = await started("2024-05-01T00:00:00Z");
  const broken = async (kind: "changed" | "empty" | "bad-row"): Promise<Observations> => {
    simulator.faults.set({ upstream: "fred" }, { kind });
    return JSON.parse(await simulator.text(api("CPIAUCSL")));
  };
  expect(await broken("empty")).toMatchObject({ count: 0, observations: [] });
  expect(await broken("changed")).not.toHaveProperty("observations");
  const { observations } = await broken("bad-row");
  expect(observations.filter(({ value }) => value === "abc").map(({ date }) => date)).toEqual(["2019-13-45"]);
});
