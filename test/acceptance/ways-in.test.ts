import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type HttpServer, httpServer } from "../../src/http/server.js";
import { createVigil, type Vigil, VigilError } from "../../src/sdk/index.js";
import { logJob } from "../../src/services/datasets/store/log-job.js";
import { loadServices } from "../../src/services/registry.js";
import { askThrough, modernClient } from "../support/mcp-client.js";
import { commandHostForAll } from "../support/process.js";
import { runJob } from "../support/run-job.js";
import { type Stack, startStack } from "../support/stack.js";
import type { AskTool } from "../support/tool-caller.js";
import { type CreatedIds, endpointBody, noteIds, writeBodies } from "../support/write-bodies.js";

/* Every operation through plain HTTP, the SDK, the command line and MCP, with the same parameters. */

const services = await loadServices();
const LIMITS = [
  "enterprise-minute",
  "operator-minute",
  "watch-create",
  "watch-change",
  "watch-test",
  "own-account",
  "mcp-messages",
  "batch-execute",
]
  .map((name) => `${name}=999999`)
  .join();
/** The highest `max_bytes` that a tool accepts. Larger answers come in parts. */
const MCP_BYTES = 100_000;
const PARTS_MAX = 1_000;

const command = commandHostForAll();
let stack: Stack;
let server: HttpServer;
let url: string;
let key: string;
let folder: string;
let vigil: Vigil;
let mcp: Client;
let ask: AskTool;
beforeAll(async () => {
  stack = await startStack({ filled: "all", env: { VIGIL_LIMITS: LIMITS } });
  await runJob(stack, logJob);
  server = httpServer(stack.answer);
  url = await server.listen("127.0.0.1", 0);
  key = stack.service.access.ownerKey.key ?? "";
  folder = await mkdtemp(join(tmpdir(), "vigil-ways-in-"));
  vigil = createVigil({ url, key, cache: false });
  mcp = await modernClient(url, { "X-Service-Key": key });
  ask = askThrough(mcp);
}, 180_000);
afterAll(async () => {
  await mcp.close();
  await server.close();
  await stack.close();
  await rm(folder, { recursive: true, force: true });
});

/** The data of a successful answer, or the status of a failure. */
type Outcome = { readonly data: unknown } | { readonly status: number };

type Params = Readonly<Record<string, string>>;

async function overHttp(path: string, init: RequestInit = {}): Promise<Outcome> {
  const answer = await fetch(url + path, { ...init, headers: { "X-Service-Key": key, ...init.headers } });
  const text = await answer.text();
  if (!answer.ok) return { status: answer.status };
  return { data: answer.headers.get("content-type")?.startsWith("application/json") ? JSON.parse(text) : text };
}

async function bySdk(call: () => Promise<{ readonly data: unknown }>): Promise<Outcome> {
  try {
    return { data: (await call()).data };
  } catch (error) {
    if (error instanceof VigilError && "status" in error) return { status: Number(error.status) };
    throw error;
  }
}

async function byCommand(args: readonly string[], isJson = true): Promise<Outcome> {
  const { code, printed, output } = await command(["call", ...args], {
    VIGIL_URL: url,
    VIGIL_KEY: key,
    VIGIL_DATA_DIR: folder,
  });
  if (code === 0) return { data: isJson ? JSON.parse(printed) : printed };
  const [, status] = /answered (\d{3})/.exec(output) ?? [];
  if (status === undefined) throw new Error(`vigil call ${args.join(" ")} ended with ${code}: ${output}`);
  return { status: Number(status) };
}

/** Calls a tool until all parts of the answer have arrived, and joins the parts. */
async function byTool(name: string, args: object): Promise<Outcome> {
  const first = await ask(name, { ...args, max_bytes: MCP_BYTES });
  if (first.isError) return { status: Number(first.json["status"]) };
  let { cut } = first.json as { readonly cut?: ToolCut };
  if (cut === undefined) return { data: first.json["answer"] };
  const { unit, list } = cut;
  const rows = unit === "row" ? [...rowsOf(first.json["answer"], list)] : [];
  let text = unit === "character" ? String(first.json["answer"]) : "";
  for (let part = 1; cut?.rest !== undefined && part < PARTS_MAX; part += 1) {
    const { json, isError } = await ask(name, { ...args, max_bytes: MCP_BYTES, rest: cut.rest });
    if (isError) throw new Error(`${name} of ${JSON.stringify(args)}: part ${part}: ${JSON.stringify(json)}`);
    cut = json["cut"] as ToolCut | undefined;
    if (unit === "row") rows.push(...(json["answer"] as readonly unknown[]));
    else text += String(json["answer"]);
  }
  return { data: unit === "row" ? withRows(first.json["answer"], list, rows) : JSON.parse(text) };
}

interface ToolCut {
  readonly unit: "row" | "character";
  readonly list?: string;
  readonly rest?: string;
}

function rowsOf(answer: unknown, list: string | undefined): readonly unknown[] {
  const value = (list?.split(".") ?? []).reduce<unknown>((part, name) => (part as Params)[name], answer);
  return value as readonly unknown[];
}

function withRows(answer: unknown, list: string | undefined, rows: readonly unknown[]): unknown {
  if (list === undefined) return rows;
  const [name = "", ...others] = list.split(".");
  const inner = (answer as Readonly<Record<string, unknown>>)[name];
  const rest = others.length > 0 ? others.join(".") : undefined;
  return { ...(answer as object), [name]: withRows(inner, rest, rows) };
}

/** Renames parameters to the names that the SDK uses. */
function camelParams(example: Params): Params {
  const camel = (name: string): string => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  return Object.fromEntries(Object.entries(example).map(([name, value]) => [camel(name), value]));
}

const reads = [
  ...services.operations.map(({ path, operation }) => ({ path, ...operation })),
  ...services.accountReads.map(({ path, read }) => ({ path, ...read })),
];

test("every operation and account read has parameters to call it with", () => {
  expect(reads.filter(({ examples }) => examples.length === 0).map(({ rpc }) => rpc)).toEqual([]);
});

describe("a read has the same answer through every way in", () => {
  test.each(
    reads.flatMap(({ path, rpc, examples }) =>
      examples.map((example: Params) => ({ path, rpc, example, query: String(new URLSearchParams(example)) })),
    ),
  )("$rpc?$query", async ({ path, rpc, example, query }) => {
    // This first answer is ignored, because an answer may state whether it is the first one.
    await overHttp(`${path}?${query}`);
    const plain = await overHttp(`${path}?${query}`);
    const isJson = example["format"] === undefined || example["format"] === "json";
    const { jmespath, ...params } = example;
    const options = Object.entries(params).flatMap(([name, value]) => ["-p", `${name}=${value}`]);
    const expression = jmespath === undefined ? [] : ["-j", jmespath];
    expect(await bySdk(() => vigil.callByName(rpc, camelParams(example)))).toEqual(plain);
    expect(await byCommand([rpc, ...options, ...expression], isJson)).toEqual(plain);
    expect(await byTool("call", { operation: rpc, params, ...(jmespath !== undefined && { jmespath }) })).toEqual(
      plain,
    );
  });
});

/** Writes that agents make through a dedicated tool. */
const ownTool: ReadonlySet<string> = new Set(["execute"]);

/** Writes that are not sent here, with the reason. */
const left: Readonly<Record<string, string>> = {
  "create-account": "each call creates another account",
  "create-key": "each call creates another key, and shows its secret",
  "revoke-key": "a key can be revoked only once",
  "end-session": "a session can be ended only once",
  "set-plan": "there is no account besides the operator's",
  "plan-events": "signed by the sender's secret, which no client has",
  "sign-in": "opens a session, which only browsers have",
  "sign-out": "ends a session, which only browsers have",
  "confirm-watch-email": "the token comes by email",
  "stop-watch-email": "the token comes by email",
  "create-webhook-endpoint": "each call creates another endpoint, and shows its secret",
  "rotate-webhook-secret": "each call creates another secret",
  "oauth-token": "takes a form, and its tokens depend on the time",
};

describe("a write has the same answer through every way in, and takes effect once", () => {
  test("every write is either sent or listed with the reason why it is not", () => {
    const covered = new Set([...Object.keys(writeBodies), ...Object.keys(left)]);
    expect(services.writes.map(({ write }) => write.rpc).filter((rpc) => !covered.has(rpc))).toEqual([]);
  });

  test("each write in `writeBodies` has the same answer through every way in", async () => {
    const endpoint = await overHttp("/api/webhooks/v1/create-webhook-endpoint", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(endpointBody),
    });
    const created: CreatedIds = { watchId: "", companyId: "", endpointId: "" };
    remember(created, endpoint);
    for (const [rpc, bodyOf] of Object.entries(writeBodies)) {
      const registered = services.writes.find(({ write }) => write.rpc === rpc);
      if (!registered) throw new Error(`no write is named ${rpc}`);
      const body = bodyOf(created);
      const idempotencyKey = `ways-in-${rpc}`;
      const isKeyed = registered.write.repeats !== "ignored";
      const headers = { "Content-Type": "application/json", ...(isKeyed && { "Idempotency-Key": idempotencyKey }) };
      const send = () => overHttp(registered.path, { method: "POST", headers, body: JSON.stringify(body) });
      const first = await send();
      // Without an idempotency key, the answer to a repeated write may state that it is a repeat.
      const plain = isKeyed ? first : await send();
      expect(plain, rpc).toHaveProperty("data");
      const keyOption = isKeyed ? ["--idempotency-key", idempotencyKey] : [];
      const keyArgument = isKeyed ? { idempotency_key: idempotencyKey } : {};
      expect(await bySdk(() => vigil.callByName(rpc, { ...body }, isKeyed ? { idempotencyKey } : {})), rpc).toEqual(
        plain,
      );
      expect(await byCommand([rpc, "--body", JSON.stringify(body), ...keyOption]), rpc).toEqual(plain);
      if (!ownTool.has(rpc))
        expect(await byTool("write", { operation: rpc, body, ...keyArgument }), rpc).toEqual(plain);
      remember(created, plain);
    }
  }, 120_000);
});

function remember(created: CreatedIds, outcome: Outcome): void {
  if ("data" in outcome) noteIds(created, outcome.data);
}
