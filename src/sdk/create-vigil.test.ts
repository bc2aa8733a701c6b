import { describe, expect, test } from "vitest";
import { createVigil } from "./create-vigil.js";
import { DataStateError, MalformedAnswerError } from "./errors.js";
import { fakeService, json } from "./testing/fake-service.js";

const cpi = { months: [], unavailable: false };
const ok = {
  "X-Vigil-State": "partial",
  "X-Vigil-Generation": "us-cpi=12, ice=4",
  "Last-Modified": "Mon, 23 Nov 2026 10:00:00 GMT",
  ETag: '"e1"',
  "X-Vigil-Notice": "unknown parameter",
  "X-Request-Id": "r1",
};

describe("a client", () => {
  test("a client sends the key with the request of a method, and returns the answer with its metadata", async () => {
    const { vigil, requests } = fakeService([json(cpi, { headers: ok })]);
    const answer = await vigil.economic.getUsCpiMonthly({ history: true, asOf: new Date(0) });
    expect(answer).toMatchObject({
      data: cpi,
      status: 200,
      state: "partial",
      generation: { "us-cpi": 12, ice: 4 },
      lastModified: new Date("2026-11-23T10:00:00Z"),
      etag: '"e1"',
      notice: "unknown parameter",
      simulated: false,
      requestId: "r1",
      isReplay: false,
      isFromCache: false,
    });
    expect(requests).toMatchObject([
      {
        method: "GET",
        target: "/api/economic/v1/get-us-cpi-monthly?history=true&as_of=0",
        headers: { "x-service-key": "the-key", accept: "application/json, application/problem+json" },
      },
    ]);
  });

  test("a client sends the same request for call() and callByName(), and refuses an unknown name", async () => {
    const { vigil, requests } = fakeService([json(cpi)]);
    const { data } = await vigil.call("get-us-cpi-monthly", { history: true });
    expect(data.months).toEqual([]);
    await vigil.callByName("get-us-cpi-monthly", { history: "true" });
    expect(new Set(requests.map(({ target }) => target))).toEqual(
      new Set(["/api/economic/v1/get-us-cpi-monthly?history=true"]),
    );
    expect(() => vigil.callByName("get-nothing")).toThrow(new TypeError('no call is named "get-nothing"'));
  });

  test("a client returns a projection as the type that the caller states", async () => {
    const { vigil } = fakeService([json(3.1)]);
    const projected = await vigil.economic.getUsCpiMonthly<number>({ jmespath: "months[0].headline.index" });
    expect(projected.data.toFixed(2)).toBe("3.10");
    const unknown = await vigil.call("get-us-cpi-monthly", { jmespath: "@" });
    // @ts-expect-error: without a type, the result of a projection is unknown
    expect(() => unknown.data.months.length).toThrow(TypeError);
  });

  test("a client returns no state for an answer without datasets, and marks demo data as invented", async () => {
    const { vigil } = fakeService([json({}, { headers: { "X-Vigil-Data": "simulated" } })]);
    expect(await vigil.account.getAccount()).toMatchObject({ state: undefined, generation: {}, simulated: true });
  });

  test('a client returns the state "unreadable" for a state that only a later version knows', async () => {
    const { vigil } = fakeService([json(cpi, { headers: { "X-Vigil-State": "haunted" } })]);
    expect((await vigil.economic.getUsCpiMonthly()).state).toBe("unreadable");
  });

  test("a client throws an error with the answer if the call does not accept the state of the data", async () => {
    const { vigil } = fakeService([json(cpi, { headers: { "X-Vigil-State": "absent" } })]);
    const refused = vigil.economic.getUsCpiMonthly({}, { states: ["ok", "partial"] });
    await expect(refused).rejects.toThrow("the data of /api/economic/v1/get-us-cpi-monthly is absent");
    await expect(refused).rejects.toMatchObject({ state: "absent", answer: { data: cpi } });
    await expect(refused).rejects.toBeInstanceOf(DataStateError);
  });

  test("a client sends a list parameter once for each of its values, and leaves out undefined parameters", async () => {
    const { vigil, requests } = fakeService([json({})]);
    await vigil.aviation.getAirportOpsSummary({ airports: ["OSL", "LHR"], asOf: undefined });
    await vigil.seismology.listEarthquakes({ sinceGeneration: { earthquakes: 5 }, minMagnitude: 4.5 });
    expect(requests.map(({ target }) => target)).toEqual([
      "/api/aviation/v1/get-airport-ops-summary?airports=OSL&airports=LHR",
      "/api/seismology/v1/list-earthquakes?since_generation=earthquakes%3D5&min_magnitude=4.5",
    ]);
  });

  test("a client returns the rows of a list as text", async () => {
    const csv = new Response("id,magnitude\r\n", { headers: { "Content-Type": "text/csv" } });
    const { vigil, requests } = fakeService([csv]);
    expect((await vigil.seismology.listEarthquakes.text({ format: "csv" })).data).toBe("id,magnitude\r\n");
    expect(requests[0]?.target).toBe("/api/seismology/v1/list-earthquakes?format=csv");
  });

  test.each([
    ["an HTML page", new Response("<html>", { headers: { "Content-Type": "text/html" } })],
    ["broken JSON", new Response("{", { headers: { "Content-Type": "application/json" } })],
  ])("a client rejects a call that is answered with %s", async (_, answer) => {
    const { vigil } = fakeService([answer]);
    const refused = vigil.economic.getUsCpiMonthly();
    await expect(refused).rejects.toBeInstanceOf(MalformedAnswerError);
    await expect(refused).rejects.toThrow("did not answer with JSON; is http://vigil.example a Vigil service?");
  });

  test("a client does not follow a redirect, which could carry the key to another host", async () => {
    const { vigil, requests } = fakeService([new Response(null, { status: 301, headers: { Location: "http://x" } })]);
    await expect(vigil.economic.getUsCpiMonthly()).rejects.toThrow("redirects to another address");
    expect(requests).toHaveLength(1);
  });

  test("a client sends a form, and requests a new bearer token for every call", async () => {
    let tokens = 0;
    const { vigil, requests } = fakeService([json({})], { key: undefined, token: () => `t${++tokens}` });
    await vigil.account.oauthToken({ grant_type: "client_credentials" });
    await vigil.get("/api/version");
    expect(requests).toMatchObject([
      {
        target: "/oauth/token",
        body: "grant_type=client_credentials",
        headers: { authorization: "Bearer t1", "content-type": "application/x-www-form-urlencoded" },
      },
      { target: "/api/version", headers: { authorization: "Bearer t2" } },
    ]);
    expect(requests[0]?.headers).not.toHaveProperty("x-service-key");
  });

  test("a client works with a service whose address has a path", async () => {
    const { vigil, requests } = fakeService([json(cpi)], { url: "https://host.example/vigil/" });
    await vigil.economic.getUsCpiMonthly();
    expect(requests[0]?.target).toBe("/vigil/api/economic/v1/get-us-cpi-monthly");
  });

  test.each(["", "here", "ftp://x"])("createVigil refuses the address %j", (url) => {
    expect(() => createVigil({ url })).toThrow(
      new TypeError(`url must be an address like http://127.0.0.1:8787, got "${url}"`),
    );
  });
});
