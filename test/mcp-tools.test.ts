import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HOUR_MS } from "../src/kit/clock.js";
import { toolList } from "../src/mcp/server.js";
import { call, json, NOON, type Stack, startStack } from "./support/stack.js";
import { toolCaller } from "./support/tool-caller.js";

const READER = "a-key-of-the-operator-that-reads";
const WATCHER = "a-key-of-the-operator-that-watches";

let stack: Stack;
let key: Readonly<Record<string, string>>;
let ask: ReturnType<typeof toolCaller>;
beforeAll(async () => {
  const env = { VIGIL_ENTERPRISE_KEYS: `${READER}=read, ${WATCHER}=watches:read+watches:write` };
  stack = await startStack({ env, filled: ["us-cpi", "earthquakes"], datasets: ["us-cpi", "earthquakes"] });
  stack.clock.set(NOON + 6 * HOUR_MS);
  await stack.run("earthquakes");
  key = { "x-service-key": stack.service.access.ownerKey.key ?? "" };
  ask = toolCaller(stack.answer, key);
}, 60_000);
afterAll(() => stack.close());

const CPI = "/api/economic/v1/get-us-cpi-monthly";
const QUAKES = "/api/seismology/v1/list-earthquakes";

describe("an answer above its budget", () => {
  test("is cut after a whole row, and its parts add up to the whole answer", async () => {
    const args = { operation: "get-us-cpi-monthly", params: { history: true }, max_bytes: 20_000 };
    const rows: unknown[] = [];
    let rest: string | undefined;
    let frame: Readonly<Record<string, unknown>> | undefined;
    do {
      const { json: part, text } = await ask("call", { ...args, ...(rest && { rest }) });
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(20_000);
      const cut = part["cut"] as { rest?: string; from: number; to: number; of: number; list: string };
      expect(cut).toMatchObject({ unit: "row", list: "months", from: rows.length });
      frame ??= part["answer"] as Readonly<Record<string, unknown>>;
      rows.push(...(rows.length === 0 ? (frame["months"] as unknown[]) : (part["answer"] as unknown[])));
      expect(cut.to).toBe(rows.length);
      rest = cut.rest;
    } while (rest !== undefined);
    expect({ ...frame, months: rows }).toEqual(json(await stack.get(`${CPI}?history=true`)));
  });

  test("is cut into pieces of its text if it contains no list", async () => {
    const args = { operation: "list-earthquakes", params: { format: "csv" }, max_bytes: 2_000 };
    const pieces: unknown[] = [];
    let rest: string | undefined;
    do {
      const { json: part, text } = await ask("call", { ...args, ...(rest && { rest }) });
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2_000);
      pieces.push(part["answer"]);
      rest = (part["cut"] as { rest?: string }).rest;
    } while (rest !== undefined);
    expect(JSON.parse(pieces.join(""))).toBe(String((await stack.get(`${QUAKES}?format=csv`)).body));
  });

  test("advises the caller how to request less", async () => {
    const { json: part } = await ask("call", { operation: "list-earthquakes", max_bytes: 2_000 });
    expect(part["cut"]).toMatchObject({ advice: expect.stringContaining("jmespath, such as earthquakes[?") });
  });

  test("cannot be continued with a different call, or with a changed `rest`", async () => {
    const { json: part } = await ask("call", { operation: "list-earthquakes", max_bytes: 2_000 });
    const { rest } = part["cut"] as { rest: string };
    const other = await ask("call", { operation: "list-earthquakes", params: { min_magnitude: 6 }, rest });
    expect(other).toMatchObject({ isError: true, json: { error: expect.stringContaining("belongs to another call") } });
    for (const wrong of ["", "x", `${rest}0000000000`, "../../etc"]) {
      expect((await ask("call", { operation: "list-earthquakes", rest: wrong })).isError).toBe(true);
    }
  });
});

describe("an argument that a tool does not have", () => {
  test("is answered with one violation that lists the arguments of the tool", async () => {
    const { isError, json: refused } = await ask("describe", { operation: "list-earthquakes" });
    expect(isError).toBe(true);
    expect(refused["violations"]).toEqual([
      {
        field: "operation",
        description: "`operation` is not an argument of describe; its arguments are name, max_bytes, rest",
      },
    ]);
  });

  test("does not hide which argument is missing, once it is corrected", async () => {
    const { json: refused } = await ask("describe", {});
    expect(refused["violations"]).toEqual([{ field: "name", description: "is required" }]);
  });
});

describe("the tool `changes`", () => {
  test("returns the rows that changed since a generation", async () => {
    const { json: answer } = await ask("changes", { operation: "list-earthquakes", since: "earthquakes=1" });
    expect(answer).toMatchObject({
      state: "ok",
      generation: "earthquakes=2",
      answer: { delta: { to: "earthquakes=2" } },
    });
    expect(answer["answer"]).toEqual(json(await stack.get(`${QUAKES}?since_generation=earthquakes%3D1`)));
  });

  test("follows the log of datasets from a position", async () => {
    const first = await ask("changes");
    const { nextCursor } = first.json["answer"] as { nextCursor: string };
    expect(first.json).toMatchObject({ state: "live", generation: null, answer: { changes: [] } });
    const next = await ask("changes", { since: nextCursor });
    expect(next.json["answer"]).toMatchObject({ changes: [] });
  });
});

test("the tool `compare` returns the rows that differ between two instants", async () => {
  const from = new Date(NOON + 60_000).toISOString();
  const { json: answer } = await ask("compare", { operation: "list-earthquakes", from, max_bytes: 50_000 });
  expect(answer).toMatchObject({ from: { generation: "earthquakes=1" }, to: { generation: "earthquakes=2" } });
  const { differences } = answer["answer"] as { differences: readonly { path: string; from?: object; to?: object }[] };
  const added = differences.filter((difference) => difference.from === undefined);
  const removed = differences.filter((difference) => difference.to === undefined);
  const { delta } = json(await stack.get(`${QUAKES}?since_generation=earthquakes%3D1`)) as {
    delta: { addedCount: number; removedCount: number };
  };
  expect({ added: added.length, removed: removed.length }).toEqual({
    added: delta.addedCount,
    removed: delta.removedCount,
  });
});

test("the tool `compare` reports no differences if there was no data at the first instant", async () => {
  const { json: answer } = await ask("compare", { operation: "list-earthquakes", from: "2026-11-01T00:00:00Z" });
  expect(answer["answer"]).toEqual({ differences: null, reason: "there was no data at the first instant" });
});

test("the tool `compare` names the request of the second instant if only that one is refused", async () => {
  const from = "2026-11-18T12:30:00Z";
  const { json: answer, isError } = await ask("compare", { operation: "list-earthquakes", from, to: "yesterday" });
  expect(isError).toBe(true);
  expect(JSON.stringify(answer["source"])).toContain("as_of=yesterday");
});

test.each(["csv", "ndjson"])("the tool `compare` says that the format %s must be json", async (format) => {
  const args = { operation: "list-earthquakes", from: "2026-11-18T12:30:00Z", params: { format } };
  const { json: answer, isError } = await ask("compare", args);
  expect({ answer, isError }).toMatchObject({
    answer: { error: "params.format must be json, which is the default" },
    isError: true,
  });
});

test("the tool `batch` returns one result for each call, with the call's own state or error", async () => {
  const { json: answer } = await ask("batch", {
    calls: [
      { operation: "get-us-cpi-monthly", jmespath: "months[-1].month" },
      { operation: "list-earthquakes", params: { page_size: "many" } },
      { operation: "list-earthquakes" },
    ],
  });
  expect(answer).toMatchObject({
    simulated: true,
    results: [
      { state: "ok", generation: "us-cpi=1", answer: json(await stack.get(`${CPI}?jmespath=months[-1].month`)) },
      { status: 400, error: json(await stack.get(`${QUAKES}?page_size=many`)) },
      { state: "ok", cut: { list: "earthquakes", rest: expect.any(String) } },
    ],
  });
  const { rest } = (answer["results"] as readonly { cut?: { rest: string; to: number } }[])[2]?.cut ?? {};
  const next = await ask("call", { operation: "list-earthquakes", rest });
  expect(next.json).toMatchObject({ cut: { unit: "row", list: "earthquakes" } });
});

test("the tools `history` and `datasets` return a dataset's generations and card, both without provenance", async () => {
  const history = await ask("history", { dataset: "earthquakes", max_bytes: 50_000 });
  expect(history.json["answer"]).toMatchObject({
    name: "earthquakes",
    entries: [{ generation: 2 }, { generation: 1 }],
  });
  expect(history.text).not.toContain('"provenance"');
  const card = await ask("datasets", { name: "earthquakes", max_bytes: 50_000 });
  expect(card.json["answer"]).toMatchObject({ datasets: [{ name: "earthquakes", state: "ok" }] });
  expect(card.text).not.toContain('"provenance"');
});

test("the tool `write` creates a watch only once per idempotency key, and can test a watch", async () => {
  const watch = { name: "quakes", call: QUAKES, on: "WATCH_ON_NEW_ROWS" };
  const reply = await ask("write", { operation: "create-watch", body: watch, idempotency_key: "once" });
  const again = await ask("write", { operation: "create-watch", body: watch, idempotency_key: "once" });
  expect(reply.json).toMatchObject({ state: "live", answer: { watch: { name: "quakes" } } });
  expect(again.json["answer"]).toEqual(reply.json["answer"]);
  const from = new Date(NOON + 60_000).toISOString();
  const tested = await ask("write", { operation: "test-watch", body: { definition: watch, from } });
  expect(tested.json["answer"]).toMatchObject({ evaluations: 1, truncated: false });
});

test("the tool `describe` returns an operation's parameters, values and answer, and a write's body", async () => {
  const read = await ask("describe", { name: "list-earthquakes" });
  expect(read.json["answer"]).toMatchObject({ method: "GET", path: QUAKES, needs: "scope read" });
  expect(read.text).toContain("min_magnitude");
  const write = await ask("describe", { name: "create-watch" });
  expect(write.json["answer"]).toMatchObject({ method: "POST", needs: "scope watches:write", idempotent: true });
  expect(await ask("describe", { name: "list-earthquake" })).toMatchObject({
    isError: true,
    json: { error: "there is no operation list-earthquake; did you mean list-earthquakes?" },
  });
});

describe("rights and limits", () => {
  test.each([
    ["a read without the scope `read`", WATCHER, "call", { operation: "get-us-cpi-monthly" }, CPI],
    [
      "a read of watches without the scope for watches",
      READER,
      "call",
      { operation: "list-watches" },
      "/api/watches/v1/list-watches",
    ],
    ["an operator-only read", READER, "call", { operation: "list-accounts" }, "/api/account/v1/list-accounts"],
  ])("%s returns the same error as REST", async (_case, own, name, args, path) => {
    const reply = await toolCaller(stack.answer, { "x-service-key": own })(name, args);
    const rest = await stack.get(path, { "x-service-key": own });
    expect(reply).toMatchObject({
      isError: true,
      json: { status: rest.status, error: json(rest), source: { request: path } },
    });
    expect(rest.status).toBe(403);
  });

  test("a write without its scope returns the same error as REST", async () => {
    const own = { "x-service-key": READER };
    const reply = await toolCaller(stack.answer, own)("write", { operation: "create-watch", body: {} });
    const headers = { ...own, "content-type": "application/json" };
    const rest = await call(stack.answer, "POST", "/api/watches/v1/create-watch", headers, { body: "{}" });
    expect(reply).toMatchObject({ isError: true, json: { status: 403, error: json(rest) } });
  });

  test("an operation called by a tool costs the same as over REST, and a tool that calls no operation is free", async () => {
    const own = { "x-service-key": READER };
    const remaining = async (): Promise<number> => {
      const { limitHeaders } = await stack.get(CPI, own);
      return Number(limitHeaders["RateLimit-Remaining"]);
    };
    const before = await remaining();
    const reader = toolCaller(stack.answer, own);
    await reader("find", { query: "cpi" });
    await reader("describe", { name: "get-us-cpi-monthly" });
    expect(await remaining()).toBe(before - 1);
    await reader("call", { operation: "get-us-cpi-monthly" });
    await reader("compare", { operation: "get-us-cpi-monthly", from: "2026-11-18T12:30:00Z" });
    expect(await remaining()).toBe(before - 5);
    await reader("batch", { calls: [{ operation: "get-us-cpi-monthly" }, { operation: "list-earthquakes" }] });
    expect(await remaining()).toBe(before - 8);
  });

  test("1,000 concurrent calls stay within the allowance of the key, and each refusal states when to retry", async () => {
    const limited = await startStack({
      env: { VIGIL_ENTERPRISE_KEYS: READER, VIGIL_LIMITS: "enterprise-minute=300" },
      filled: ["us-cpi"],
      datasets: ["us-cpi"],
    });
    try {
      const reader = toolCaller(limited.answer, { "x-service-key": READER });
      const args = { operation: "get-us-cpi-monthly", jmespath: "months[-1].month" };
      const reply = await Promise.all(Array.from({ length: 1_000 }, () => reader("call", args)));
      const refused = reply.filter(({ isError }) => isError);
      expect(refused).toHaveLength(700);
      for (const { json: answer } of refused)
        expect(answer).toMatchObject({ status: 429, retryAfterSeconds: expect.any(Number) });
      const page = await limited.get("/api/health?compact=1", {});
      expect(page.status).toBe(200);
    } finally {
      await limited.close();
    }
  }, 120_000);

  test("MCP messages have a separate limit", async () => {
    const limited = await startStack({ env: { VIGIL_LIMITS: "mcp-messages=3" }, datasets: [] });
    try {
      const owner = { "x-service-key": limited.service.access.ownerKey.key ?? "" };
      const ping = () =>
        call(limited.answer, "POST", "/mcp", owner, { body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' });
      const statuses = [await ping(), await ping(), await ping(), await ping()].map(({ status }) => status);
      expect(statuses).toEqual([200, 200, 200, 429]);
      expect((await ping()).headers["Retry-After"]).toBe("60");
    } finally {
      await limited.close();
    }
  });
});

describe("hostile arguments", () => {
  const deep = (depth: number): string => `${"[".repeat(depth)}${"]".repeat(depth)}`;

  test.each<readonly [string, string, object]>([
    ["an unknown argument", "find", { query: "x", drop: "table" }],
    ["a number for a string", "find", { query: 1 }],
    ["a list for the name of an operation", "call", { operation: [] }],
    ["a string for params", "call", { operation: "get-us-cpi-monthly", params: "history=true" }],
    ["an object as the value of a parameter", "call", { operation: "get-us-cpi-monthly", params: { history: {} } }],
    ["a value of 200 KB", "call", { operation: "get-us-cpi-monthly", params: { history: "x".repeat(200_000) } }],
    ["a value of 20 KB", "call", { operation: "list-aviation-news", params: { entities: "x".repeat(20_000) } }],
    ["a budget below the minimum", "call", { operation: "get-us-cpi-monthly", max_bytes: 1 }],
    ["a budget above the maximum", "call", { operation: "get-us-cpi-monthly", max_bytes: 10_000_000 }],
    ["a path that belongs to no operation", "call", { operation: "/metrics" }],
    ["a path with ..", "call", { operation: "/api/economic/v1/../../../metrics" }],
    ["a name that every JavaScript object has", "call", { operation: "constructor" }],
    ["a POST as a call", "call", { operation: "create-watch" }],
    ["a GET as a write", "write", { operation: "get-us-cpi-monthly", body: {} }],
    ["the sign-in as a write", "write", { operation: "sign-in", body: {} }],
    ["the batch as a write", "write", { operation: "execute", body: { operations: [] } }],
    ["21 calls in a batch", "batch", { calls: Array.from({ length: 21 }, () => ({ operation: "list-earthquakes" })) }],
    [
      "a budget too small for its batch",
      "batch",
      { max_bytes: 2_000, calls: [{ operation: "list-earthquakes" }, { operation: "list-earthquakes" }] },
    ],
    ["an invalid expression", "call", { operation: "get-us-cpi-monthly", jmespath: "months[" }],
    ["an expression of 2 KB", "call", { operation: "get-us-cpi-monthly", jmespath: "a".repeat(2_048) }],
    [
      "an expression whose result grows without bound",
      "call",
      { operation: "get-us-cpi-monthly", params: { history: true }, jmespath: `@${".[@,@][]".repeat(40)}` },
    ],
    ["a dataset that does not exist", "history", { dataset: "../us-cpi" }],
    ["an invalid instant", "compare", { operation: "list-earthquakes", from: "yesterday" }],
    [
      "an idempotency key with a line break",
      "write",
      { operation: "create-watch", body: {}, idempotency_key: "a\r\nb" },
    ],
  ])("%s is an error that the agent can read", async (_case, name, args) => {
    const reply = await ask(name, args);
    expect(reply.isError).toBe(true);
    expect(reply.json["error"]).toBeTruthy();
    expect(Buffer.byteLength(reply.text)).toBeLessThanOrEqual(2_000);
  });

  test.each([
    ["the body of a write", (list: string) => `"write","arguments":{"operation":"create-watch","body":{"a":${list}}}`],
    ["a parameter", (list: string) => `"call","arguments":{"operation":"get-us-cpi-monthly","params":{"a":${list}}}`],
  ])("50,000 nested lists in %s get an error result and not a failed request", async (_case, withList) => {
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":${withList(deep(50_000))}}}`;
    const answer = await call(stack.answer, "POST", "/mcp", key, { body });
    expect(answer.status).toBe(200);
    expect(json(answer)).toMatchObject({ result: { isError: true } });
  });

  test("no tool accepts parameters that its schema does not declare", () => {
    for (const { name, inputSchema } of toolList.tools) {
      expect(inputSchema, name).toMatchObject({ type: "object", additionalProperties: false });
    }
  });
});
