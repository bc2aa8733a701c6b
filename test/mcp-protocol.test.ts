import { readFileSync } from "node:fs";
import { Compile } from "typebox/compile";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { IdentifiedAnswer } from "../src/http/exchange.js";
import { call, json, type Stack, startStack } from "./support/stack.js";

let stack: Stack;
let key: Readonly<Record<string, string>>;
beforeAll(async () => {
  stack = await startStack({ filled: ["us-cpi"], datasets: ["us-cpi"] });
  key = { "x-service-key": stack.service.access.ownerKey.key ?? "", "content-type": "application/json" };
}, 60_000);
afterAll(() => stack.close());

function post(body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<IdentifiedAnswer> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return call(stack.answer, "POST", "/mcp", { ...key, ...headers }, { body: text });
}

const request = (method: string, params: object = {}, id: unknown = 1): object => ({
  jsonrpc: "2.0",
  id,
  method,
  params,
});

const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};
const modern = { "mcp-protocol-version": "2026-07-28" };

describe("the path /mcp", () => {
  test.each(["GET", "DELETE", "PUT"])("answers %s with 405, and allows POST and OPTIONS", async (method) => {
    const { status, headers } = await call(stack.answer, method, "/mcp", key);
    expect({ status, allow: headers["Allow"] }).toEqual({ status: 405, allow: "POST, OPTIONS" });
  });

  test("checks the origin first, and refuses an origin that is not allowed", async () => {
    const { status, body } = await call(stack.answer, "POST", "/mcp", { origin: "https://evil.example" });
    expect({ status, body: JSON.parse(String(body)) }).toEqual({ status: 403, body: { error: "Origin not allowed" } });
  });

  test("lets a page of an allowed origin send the headers of the protocol", async () => {
    const { headers } = await call(stack.answer, "OPTIONS", "/mcp", { origin: "http://127.0.0.1:8787" });
    expect(headers["Access-Control-Allow-Headers"]).toContain("MCP-Protocol-Version, Mcp-Method, Mcp-Name");
  });

  test.each([
    ["no key", {}],
    ["an invalid key", { "x-service-key": `vgl_${"0".repeat(48)}` }],
  ])("refuses a caller with %s as REST does", async (_case, headers) => {
    const refused = await call(stack.answer, "POST", "/mcp", headers, { body: JSON.stringify(request("ping")) });
    const rest = await stack.get("/api/economic/v1/get-us-cpi-monthly", headers);
    expect(refused.status).toBe(401);
    expect(refused.body).toEqual(rest.body);
    expect(refused.headers["WWW-Authenticate"]).toBe(rest.headers["WWW-Authenticate"]);
  });

  test("refuses a message of more than 256 KB", async () => {
    expect((await post(request("ping", { padding: "x".repeat(262_144) }))).status).toBe(413);
  });
});

describe("a message other than a valid request", () => {
  test.each([
    ["a notification", { jsonrpc: "2.0", method: "notifications/initialized" }],
    ["a notification that no protocol version defines", { jsonrpc: "2.0", method: "notifications/other", params: {} }],
    ["a response", { jsonrpc: "2.0", id: 1, result: {} }],
  ])("%s is accepted without an answer", async (_case, message) => {
    const { status, body } = await post(message);
    expect({ status, body }).toEqual({ status: 202, body: undefined });
  });

  test.each([
    ["text that is not JSON", "{", -32_700],
    ["a string with a lone surrogate", '"\ud800"', -32_600],
    ["an empty body", "", -32_700],
    ["a list of messages", [request("ping")], -32_600],
    ["a message without the member jsonrpc", { id: 1, method: "ping" }, -32_600],
    ["a request with the id null", request("ping", {}, null), -32_600],
    ["a request with a fraction as id", request("ping", {}, 1.5), -32_600],
    ["a request without a method", { jsonrpc: "2.0", id: 1 }, -32_600],
    ["a request with a list of params", { jsonrpc: "2.0", id: 1, method: "ping", params: [] }, -32_600],
  ])("%s is a 400 with a JSON-RPC error code", async (_case, message, code) => {
    const answer = await post(message);
    expect(answer.status).toBe(400);
    expect(json(answer)).toMatchObject({ jsonrpc: "2.0", error: { code } });
  });
});

describe("a request in a protocol version that has the method initialize", () => {
  test.each([
    ["2025-11-25", "2025-11-25"],
    ["2025-06-18", "2025-06-18"],
    ["2024-11-05", "2025-11-25"],
    ["2099-01-01", "2025-11-25"],
  ])("of a client that offers version %s gets version %s", async (protocolVersion, agreed) => {
    const answer = await post(request("initialize", { protocolVersion, capabilities: {}, clientInfo: {} }));
    expect(json(answer)).toMatchObject({ result: { protocolVersion: agreed, serverInfo: { name: "vigil" } } });
    expect(answer.headers).not.toHaveProperty("Mcp-Session-Id");
  });

  test.each(["constructor", "__proto__", "toString", "server/discover", "prompts/list", ""])(
    "with the method %j gets the error Method not found",
    async (method) => {
      const answer = await post(request(method));
      expect(answer.status).toBe(200);
      expect(json(answer)).toEqual({ jsonrpc: "2.0", id: 1, error: { code: -32_601, message: "Method not found" } });
    },
  );

  test("gets a 400 with the supported versions if its header names an unsupported version", async () => {
    const answer = await post(request("ping"), { "mcp-protocol-version": "1999-01-01" });
    expect(answer.status).toBe(400);
    const data = { supported: ["2026-07-28", "2025-11-25", "2025-06-18"], requested: "1999-01-01" };
    expect(json(answer)).toMatchObject({ error: { code: -32_022, data } });
  });

  test("is answered with its own id, whether a string or a number", async () => {
    expect(json(await post(request("ping", {}, "a")))).toEqual({ jsonrpc: "2.0", id: "a", result: {} });
    expect(json(await post(request("ping", {}, 0)))).toEqual({ jsonrpc: "2.0", id: 0, result: {} });
  });
});

describe("a request in the stateless protocol version", () => {
  const named = (method: string, name?: string) => ({
    ...modern,
    "mcp-method": method,
    ...(name && { "mcp-name": name }),
  });

  test("gets the supported versions and the server's name from server/discover", async () => {
    const answer = await post(request("server/discover", { _meta: meta }), named("server/discover"));
    expect(json(answer)).toMatchObject({
      result: {
        resultType: "complete",
        supportedVersions: ["2026-07-28", "2025-11-25", "2025-06-18"],
        _meta: { "io.modelcontextprotocol/serverInfo": { name: "vigil" } },
      },
    });
  });

  test("may have a Base64-encoded name in its header", async () => {
    const params = { uri: "vigil://datasets/us-cpi", _meta: meta };
    const name = `=?base64?${Buffer.from(params.uri).toString("base64")}?=`;
    const answer = await post(request("resources/read", params), named("resources/read", name));
    expect(json(answer)).toMatchObject({ result: { cacheScope: "private", ttlMs: 0 } });
  });

  const call = { name: "find", arguments: { query: "cpi" }, _meta: meta };
  test.each([
    ["without the version header", "tools/call", call, { "mcp-method": "tools/call", "mcp-name": "find" }, -32_020],
    ["with another method in the header", "tools/call", call, named("tools/list", "find"), -32_020],
    ["without the name in a header", "tools/call", call, named("tools/call"), -32_020],
    ["with another name in the header", "tools/call", call, named("tools/call", "write"), -32_020],
    ["without _meta", "tools/list", {}, named("tools/list"), -32_602],
    [
      "without the capabilities of the client",
      "tools/list",
      { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } },
      named("tools/list"),
      -32_602,
    ],
    [
      "with an unknown version in _meta",
      "tools/list",
      { _meta: { ...meta, "io.modelcontextprotocol/protocolVersion": "2099-01-01" } },
      named("tools/list"),
      -32_022,
    ],
  ])("%s is a 400", async (_case, method, params, headers, code) => {
    const answer = await post(request(method, params), headers);
    expect(answer.status).toBe(400);
    expect(json(answer)).toMatchObject({ id: 1, error: { code } });
  });

  test.each(["ping", "initialize", "constructor"])("with the method %s is a 404", async (method) => {
    const answer = await post(request(method, { _meta: meta }), named(method));
    expect(answer.status).toBe(404);
    expect(json(answer)).toMatchObject({ error: { code: -32_601 } });
  });
});

test("the OpenAPI document describes the statuses of the protocol and their bodies", async () => {
  const text = readFileSync(new URL("../docs/openapi.json", import.meta.url), "utf8");
  const { paths, components } = JSON.parse(text);
  const answers = [
    await post({ jsonrpc: "2.0", method: "notifications/initialized" }),
    await post("{"),
    await post(request("ping", { _meta: meta }), { ...modern, "mcp-method": "ping" }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([202, 400, 404]);
  for (const answer of answers) {
    const content = paths["/mcp"].post.responses[String(answer.status)]?.content;
    expect(content === undefined, String(answer.status)).toBe(answer.body === undefined);
    if (answer.body === undefined) continue;
    const schema = Compile({ ...content["application/json"].schema, components });
    expect(schema.Check(json(answer)), String(answer.status)).toBe(true);
    expect(schema.Check({ error: "Not found" })).toBe(false);
  }
  expect(Object.keys(paths["/mcp"].post.responses)).toEqual(expect.arrayContaining(["202", "400", "404"]));
});
