import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as LegacyTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { type AskTool, replyOf } from "./tool-caller.js";

const info = { name: "test", version: "1.0.0" };

/** Returns a function that calls tools through an official client. */
export function askThrough(client: Client | LegacyClient): AskTool {
  return async (name, args = {}) => replyOf(await client.callTool({ name, arguments: { ...args } }));
}

/** Connects the official client for the protocol versions that begin with an `initialize` request. */
export async function legacyClient(address: string, headers: Record<string, string>): Promise<LegacyClient> {
  const client = new LegacyClient(info);
  await client.connect(new LegacyTransport(new URL("/mcp", address), { requestInit: { headers } }));
  return client;
}

/** Connects the official client for the stateless protocol version. */
export async function modernClient(address: string, headers: Record<string, string>): Promise<Client> {
  const client = new Client(info, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", address), { requestInit: { headers } }));
  return client;
}
