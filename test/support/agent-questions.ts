import { frameParametersOf } from "../../src/contract/frame-parameters.js";
import type { RegisteredOperation } from "../../src/contract/operation.js";
import { HOUR_MS, MINUTE_MS } from "../../src/kit/clock.js";
import { json, NOON, type Stack, startStack } from "./stack.js";
import { type AskTool, type ToolReply, toolCaller } from "./tool-caller.js";

/** A question that an agent asks the MCP tools. */
export interface AgentQuestion {
  readonly name: string;
  /**
   * Throws if the answer of a tool has too many bytes or contradicts the REST answer, or if a search does not find the
   * expected operation.
   */
  readonly check: (agent: Agent) => Promise<void>;
}

export interface Agent {
  readonly ask: AskTool;
  /** Returns the JSON of the answer to a GET over REST. */
  readonly rest: (path: string, params: Params) => Promise<unknown>;
  /** Returns the generations from which a GET over REST is answered. */
  readonly generation: (path: string, params: Params) => Promise<string>;
}

type Params = Readonly<Record<string, string>>;

/** Datasets that have a second generation, so that there are changes to follow. */
const REBUILT = ["earthquakes", "natural-events", "climate-disasters", "climate-news", "us-treasury-yields"];
const BEFORE = new Date(NOON + MINUTE_MS).toISOString();

/** Starts a service with two generations of some datasets, and returns it with an agent that calls it. */
export async function agentStack(): Promise<{ readonly stack: Stack; readonly agent: Agent }> {
  const stack = await startStack({ filled: "all", env: { VIGIL_LIMITS: "operator-minute=1000000" } });
  stack.clock.set(NOON + 6 * HOUR_MS);
  for (const name of REBUILT) await stack.run(name);
  const key = { "x-service-key": stack.service.access.ownerKey.key ?? "" };
  const get = (path: string, params: Params) => stack.get(`${path}?${new URLSearchParams(params)}`, key);
  const agent = {
    ask: toolCaller(stack.answer, key),
    rest: async (path: string, params: Params) => json(await get(path, params)),
    generation: async (path: string, params: Params) => (await get(path, params)).headers["X-Vigil-Generation"] ?? "",
  };
  return { stack, agent };
}

/**
 * Returns the questions of four kinds: find an operation, read the whole answer of a call, compare the answers of a
 * call at two instants, and follow the changes of a list.
 */
export function agentQuestions({ services }: Stack): readonly AgentQuestion[] {
  const { operations, accountReads, writes } = services;
  const calls = [
    ...operations.map(({ operation }) => operation),
    ...accountReads.map(({ read }) => read),
    ...writes
      .filter(({ write }) => typeof write.access === "object" && "scope" in write.access)
      .map(({ write }) => write),
  ].filter(({ rpc }) => rpc !== "execute");
  return [
    ...phrases.map(([query, rpc]) => finding(query, rpc)),
    ...calls.map(({ rpc, summary }) => finding(summary, rpc)),
    ...operations.flatMap(({ path, operation }) =>
      operation.examples.flatMap((params) =>
        [8_000, 2_500].map((bytes) => reading(path, operation.rpc, params, bytes)),
      ),
    ),
    ...operations
      .filter(hasPast)
      .flatMap(({ path, operation }) => [
        reading(path, operation.rpc, { as_of: BEFORE }, 50_000),
        comparing(path, operation),
      ]),
    ...operations.filter(hasChanges).map(({ path, operation }) => following(path, operation.rpc)),
  ];
}

/**
 * Search queries that are phrased differently from the summaries of the operations. Each comes with the name of the
 * operation that it must find.
 */
const phrases = [
  ["consumer price index inflation", "get-us-cpi-monthly"],
  ["ten year treasury yield", "get-us-treasury-par-yield-curve"],
  ["magnitude of recent quakes", "list-earthquakes"],
  ["CO2 in the atmosphere", "get-co2-monitoring"],
  ["Arctic sea ice", "get-ocean-ice-data"],
  ["PM2.5 air pollution in cities", "list-air-quality-data"],
  ["refugees by country", "get-displacement-summary"],
  ["is a person on a sanctions list", "lookup-sanction-entity"],
  ["delays at airports", "list-airport-delays"],
  ["volcanoes storms wildfires open events", "list-natural-events"],
  ["insider sales of a company", "get-insider-transactions"],
  ["internet outages", "list-internet-traffic-anomalies"],
] as const;

const takes = ({ operation }: RegisteredOperation, parameter: string): boolean =>
  frameParametersOf(operation).some(([name]) => name === parameter) && Object.keys(operation.query).length < 20;

/** True for an operation whose past can be read, and which has an example without parameters. */
function hasPast(registered: RegisteredOperation): boolean {
  return (
    takes(registered, "asOf") && registered.operation.examples.some((example) => Object.keys(example).length === 0)
  );
}

function hasChanges(registered: RegisteredOperation): boolean {
  return hasPast(registered) && takes(registered, "sinceGeneration");
}

function finding(query: string, rpc: string): AgentQuestion {
  return {
    name: `find ${rpc} by "${query}"`,
    async check({ ask }) {
      const reply = within(8_000, await ask("find", { query }));
      const names = (reply.json["answer"] as readonly { name: string }[]).map(({ name }) => name);
      if (!names.includes(rpc)) throw new Error(`the search returned ${names}`);
    },
  };
}

function reading(path: string, operation: string, params: Params, bytes: number): AgentQuestion {
  const { jmespath, ...others } = params;
  const args = { operation, params: others, ...(jmespath !== undefined && { jmespath }), max_bytes: bytes };
  return {
    name: `call ${operation} ${JSON.stringify(params)} within ${bytes} bytes`,
    async check(agent) {
      // Some on-demand answers state whether they come from the cache. After this read, REST and the tool both answer
      // from the cache.
      await agent.rest(path, params);
      const answer = await wholeAnswer(agent.ask, args);
      same(answer, await agent.rest(path, params));
    },
  };
}

function comparing(path: string, { rpc, query }: RegisteredOperation["operation"]): AgentQuestion {
  const params: Params = "pageSize" in query ? { page_size: "20" } : {};
  return {
    name: `compare ${rpc} at two instants`,
    async check({ ask, rest }) {
      const reply = within(8_000, await ask("compare", { operation: rpc, params, from: BEFORE }));
      const [before, after] = [await rest(path, { ...params, as_of: BEFORE }), await rest(path, params)];
      const isSame = JSON.stringify(before) === JSON.stringify(after);
      const { differenceCount } = reply.json["answer"] as { readonly differenceCount: number };
      if (isSame !== (differenceCount === 0)) throw new Error(`${differenceCount} differences`);
    },
  };
}

function following(path: string, operation: string): AgentQuestion {
  return {
    name: `follow the changes of ${operation}`,
    async check({ ask, rest, generation }) {
      const since = await generation(path, { as_of: BEFORE });
      const answer = await wholeAnswer(ask, { operation, max_bytes: 20_000, since }, "changes");
      same(answer, await rest(path, { since_generation: since }));
    },
  };
}

interface Arguments {
  readonly since?: string;
  readonly operation: string;
  readonly max_bytes: number;
}

interface Cut {
  readonly unit: "row" | "character";
  readonly list?: string;
  readonly to: number;
  readonly of: number;
  readonly rest?: string;
}

interface ReadPart {
  readonly answer: unknown;
  readonly cut: Cut | undefined;
}

/** Reads all parts of an answer and joins them. */
async function wholeAnswer(ask: AskTool, args: Arguments, tool = "call"): Promise<unknown> {
  const parts: ReadPart[] = [];
  let rest: string | undefined;
  do {
    const { json: part } = within(args.max_bytes, await ask(tool, rest === undefined ? args : { ...args, rest }));
    for (const member of ["state", "generation", "source"]) {
      if (!(member in part)) throw new Error(`the answer lacks ${member}`);
    }
    if (part["simulated"] !== true) throw new Error("the answer is not labelled as simulated");
    parts.push({ answer: part["answer"], cut: part["cut"] as Cut | undefined });
    rest = parts.at(-1)?.cut?.rest;
  } while (rest !== undefined);
  const [first, ...others] = parts;
  if (first?.cut?.unit === "character") return JSON.parse(parts.map(({ answer }) => answer).join(""));
  return first?.cut ? withRows(first.answer, first.cut.list?.split(".") ?? [], rowsOf(others)) : first?.answer;
}

/** The rows of the parts after the first part; rows that came in pieces are joined. */
function rowsOf(parts: readonly ReadPart[]): readonly unknown[] {
  const rows: unknown[] = [];
  let piece = "";
  for (const { answer, cut } of parts) {
    if (cut?.unit === "row") rows.push(...(answer as readonly unknown[]));
    else {
      piece += String(answer);
      if (cut?.to !== cut?.of) continue;
      rows.push(JSON.parse(piece));
      piece = "";
    }
  }
  return rows;
}

/** Appends rows to the list at a path. */
function withRows(value: unknown, [name, ...path]: readonly string[], rows: readonly unknown[]): unknown {
  if (name === undefined) return [...(value as readonly unknown[]), ...rows];
  const members = value as Readonly<Record<string, unknown>>;
  return { ...members, [name]: withRows(members[name], path, rows) };
}

function within(bytesMax: number, reply: ToolReply): ToolReply {
  const bytes = Buffer.byteLength(reply.text);
  if (bytes > bytesMax) throw new Error(`${bytes} bytes instead of at most ${bytesMax}`);
  if (reply.isError) throw new Error(reply.text);
  return reply;
}

function same(answer: unknown, rest: unknown): void {
  if (JSON.stringify(answer) !== JSON.stringify(rest)) throw new Error("the answer differs from that of REST");
}
