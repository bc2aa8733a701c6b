import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type HttpServer, httpServer } from "../src/http/server.js";
import { toolList } from "../src/mcp/server.js";
import { askThrough, legacyClient, modernClient } from "./support/mcp-client.js";
import { json, type Stack, startStack } from "./support/stack.js";

let stack: Stack;
let server: HttpServer;
let address: string;
let headers: Record<string, string>;
beforeAll(async () => {
  stack = await startStack({ filled: ["us-cpi", "earthquakes"], datasets: ["us-cpi", "earthquakes"] });
  server = httpServer(stack.answer);
  address = await server.listen("127.0.0.1", 0);
  headers = { "x-service-key": stack.service.access.ownerKey.key ?? "" };
}, 60_000);
afterAll(async () => {
  await server.close();
  await stack.close();
});

test("the whole tool list has at most ten tools in 6 KB", () => {
  expect(toolList.tools.length).toBeLessThanOrEqual(10);
  expect(Buffer.byteLength(JSON.stringify(toolList))).toBeLessThanOrEqual(6_000);
});

const clients = [
  ["2025-11-25", legacyClient],
  ["2026-07-28", modernClient],
] as const;

describe.each(clients)("the official client of protocol version %s", (_version, connect) => {
  let client: Awaited<ReturnType<typeof connect>>;
  beforeAll(async () => {
    client = await connect(address, headers);
  });
  afterAll(() => client.close());

  test("connects, and reads the instructions and the capabilities of the service", () => {
    expect(client.getInstructions()).toContain("Begin with find");
    expect(client.getServerCapabilities()).toEqual({ tools: {}, resources: {} });
  });

  test("lists the tools", async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(toolList.tools.map(({ name }) => name));
  });

  test("finds an operation by search words, and reads a figure from it", async () => {
    const search = await askThrough(client)("find", { query: "consumer prices" });
    const [hit] = search.json["answer"] as readonly { name: string; jmespath: string }[];
    expect(hit?.name).toBe("get-us-cpi-monthly");
    const figure = await askThrough(client)("call", { operation: hit?.name, jmespath: hit?.jmespath });
    const path = "/api/economic/v1/get-us-cpi-monthly";
    const rest = await stack.get(`${path}?jmespath=${encodeURIComponent(hit?.jmespath ?? "")}`);
    expect(figure.json).toMatchObject({ state: "ok", generation: "us-cpi=1", simulated: true, answer: json(rest) });
    expect(figure.json["source"]).toMatchObject({ request: expect.stringContaining(path) });
  });

  test("lists all dataset cards and reads one", async () => {
    const { resources } = await client.listResources();
    expect(resources.map(({ name }) => name)).toEqual(["us-cpi", "earthquakes"]);
    expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(1);
    const { contents } = await client.readResource({ uri: "vigil://datasets/us-cpi" });
    const [card] = contents as readonly { text: string }[];
    expect(JSON.parse(card?.text ?? "")).toEqual(json(await stack.get("/api/datasets?name=us-cpi")));
    await expect(client.readResource({ uri: "vigil://datasets/none" })).rejects.toThrow("no resource");
  });

  test("gets an error for a tool that does not exist", async () => {
    await expect(client.callTool({ name: "nothing", arguments: {} })).rejects.toThrow("Unknown tool: nothing");
  });

  test("is refused without a key", async () => {
    await expect(connect(address, {})).rejects.toThrow(/API key required|401/);
  });
});
