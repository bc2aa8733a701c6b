import { resolve } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as LegacyTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type HttpServer, httpServer } from "../src/http/server.js";
import { toolList } from "../src/mcp/server.js";
import { askThrough } from "./support/mcp-client.js";
import { json, type Stack, startStack } from "./support/stack.js";

const CPI = "/api/economic/v1/get-us-cpi-monthly";
const info = { name: "test", version: "1.0.0" };

let stack: Stack;
let server: HttpServer;
let command: { command: string; args: string[]; env: Record<string, string>; stderr: "ignore" };
beforeAll(async () => {
  stack = await startStack({ filled: ["us-cpi"], datasets: ["us-cpi"] });
  server = httpServer(stack.answer);
  const url = await server.listen("127.0.0.1", 0);
  command = {
    command: process.execPath,
    args: [resolve(import.meta.dirname, "../dist/bin/vigil.js"), "mcp"],
    env: { VIGIL_URL: url, VIGIL_KEY: stack.service.access.ownerKey.key ?? "" },
    stderr: "ignore",
  };
}, 60_000);
afterAll(async () => {
  await server.close();
  await stack.close();
});

const clients = [
  [
    "2025-11-25",
    async () => {
      const client = new LegacyClient(info);
      await client.connect(new LegacyTransport(command));
      return client;
    },
  ],
  [
    "2026-07-28",
    async () => {
      const client = new Client(info, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
      await client.connect(new StdioClientTransport(command));
      return client;
    },
  ],
] as const;

describe.each(clients)(
  "the official client of protocol version %s over standard input and output",
  (_version, connect) => {
    test("lists the tools, reads a figure and a dataset card, and receives errors", async () => {
      const client = await connect();
      try {
        const { tools } = await client.listTools();
        expect(tools.map(({ name }) => name)).toEqual(toolList.tools.map(({ name }) => name));
        const ask = askThrough(client);
        const figure = await ask("call", { operation: "get-us-cpi-monthly", jmespath: "months[-1].headline.index" });
        const rest = await stack.get(`${CPI}?jmespath=months[-1].headline.index`);
        expect(figure.json).toMatchObject({ state: "ok", simulated: true, answer: json(rest) });
        const { contents } = await client.readResource({ uri: "vigil://datasets/us-cpi" });
        expect(contents).toHaveLength(1);
        expect(await ask("call", { operation: "nothing" })).toMatchObject({ isError: true });
        await expect(client.callTool({ name: "nothing", arguments: {} })).rejects.toThrow("Unknown tool: nothing");
      } finally {
        await client.close();
      }
    }, 60_000);
  },
);

test("a wrong key is an error that names the remedy", async () => {
  const client = new LegacyClient(info);
  const env = { ...command.env, VIGIL_KEY: "vgl_wrong" };
  const connecting = client.connect(new LegacyTransport({ ...command, env }));
  await expect(connecting).rejects.toThrow(
    "the service answered 401: Invalid API key; set VIGIL_KEY to one of its keys",
  );
  await client.close();
}, 60_000);
