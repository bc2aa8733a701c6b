import type { Violation } from "../contract/failures.js";
import { violationsOf } from "../contract/violations.js";
import type { LoopTurns } from "../kit/loop-turns.js";
import type { Caller } from "./caller.js";
import type { Catalogue } from "./catalogue.js";
import { errorMessage, isMembers, type Members, RpcError, type RpcRequest, rpcRequest } from "./json-rpc.js";
import { listResources, readResource, resourceTemplates } from "./resources.js";
import { type Tool, ToolFailure, type ToolResult } from "./tool.js";
import { allTools } from "./tools/all-tools.js";
import { isModern, negotiated, supportedVersions } from "./versions.js";

/** One message of an agent. */
export interface McpMessage {
  readonly bytes: Uint8Array;
  /** Returns a request header by its lower-case name. */
  header(name: string): string | undefined;
  readonly call: Caller;
}

/** The answer to a message: an HTTP status, and a JSON-RPC message unless the agent sent a notification. */
export interface McpReply {
  readonly status: number;
  readonly message?: object;
}

/** Answers messages of the Model Context Protocol. Nothing is remembered between messages. */
export type McpServer = (message: McpMessage) => Promise<McpReply>;

export interface McpParts {
  readonly catalogue: Catalogue;
  readonly version: string;
  readonly turns: LoopTurns;
  readonly onFault: (error: unknown) => void;
}

const INSTRUCTIONS =
  "Public monitoring data as versioned snapshots. Begin with find, then call with jmespath. Read `state` of an answer first: ok, partial, stale, absent or unreadable; live if the answer comes from no snapshot. If the state is neither ok nor live, an empty list does not mean that nothing exists. `simulated` marks made-up data. Instants are epoch ms UTC. To continue a cut answer, repeat the call with `rest` = `cut.rest`.";

const capabilities = { tools: {}, resources: {} };

export function mcpServer(parts: McpParts): McpServer {
  const serverInfo = { name: "vigil", title: "Vigil", version: parts.version };
  return async (message) => {
    let request: RpcRequest | undefined;
    let isStateless = false;
    try {
      request = rpcRequest(message.bytes);
      if (!request) return { status: 202 };
      isStateless = isModern(request, message.header);
      const { id, method } = request;
      const answer = (isStateless ? modernMethods : legacyMethods).get(method);
      if (!answer) throw new RpcError("methodNotFound", "Method not found", isStateless ? 404 : 200);
      const own = await answer(request.params, { ...parts, call: message.call, serverInfo });
      const meta = { "io.modelcontextprotocol/serverInfo": serverInfo };
      const result = isStateless ? { resultType: "complete", ...own, ...cachingOf(method), _meta: meta } : own;
      return { status: 200, message: { jsonrpc: "2.0", id, result } };
    } catch (error) {
      return replyTo(error, request, isStateless, parts);
    }
  };
}

function replyTo(
  error: unknown,
  request: RpcRequest | undefined,
  isStateless: boolean,
  { onFault }: McpParts,
): McpReply {
  if (!(error instanceof RpcError)) onFault(error);
  const failure = error instanceof RpcError ? error : new RpcError("internal", "Internal server error");
  // The modern protocol version has no error code for missing resources.
  const isRenamed = isStateless && failure.code === RESOURCE_NOT_FOUND;
  const reported = isRenamed ? new RpcError("invalidParams", failure.message, failure.status) : failure;
  return { status: reported.status, message: errorMessage(request?.id, reported) };
}

const RESOURCE_NOT_FOUND = new RpcError("resourceNotFound", "").code;

/**
 * Time for which clients may keep results of the methods in `cached`, ms. Only a new version of Vigil changes the
 * results.
 */
const CACHED_MS = 300_000;
const cached: ReadonlySet<string> = new Set([
  "server/discover",
  "tools/list",
  "resources/list",
  "resources/templates/list",
]);

function cachingOf(method: string): object {
  if (cached.has(method)) return { ttlMs: CACHED_MS, cacheScope: "public" };
  return method === "resources/read" ? { ttlMs: 0, cacheScope: "private" } : {};
}

interface MethodContext extends McpParts {
  readonly call: Caller;
  readonly serverInfo: object;
}

type Method = (params: Members, context: MethodContext) => object | Promise<object>;

/** The methods that all protocol versions have. */
const common: readonly (readonly [name: string, method: Method])[] = [
  ["tools/list", () => toolList],
  ["tools/call", callTool],
  ["resources/list", (params, { catalogue }) => listResources(catalogue, params)],
  ["resources/templates/list", () => ({ resourceTemplates })],
  ["resources/read", (params, { call, catalogue }) => readResource(call, catalogue, params)],
];

const legacyMethods: ReadonlyMap<string, Method> = new Map([
  ...common,
  ["initialize", initialize],
  ["ping", () => ({})],
]);

const modernMethods: ReadonlyMap<string, Method> = new Map([
  ...common,
  ["server/discover", () => ({ supportedVersions, capabilities, instructions: INSTRUCTIONS })],
]);

function initialize({ protocolVersion }: Members, { serverInfo }: MethodContext): object {
  return { protocolVersion: negotiated(protocolVersion), capabilities, serverInfo, instructions: INSTRUCTIONS };
}

export const toolList = {
  tools: allTools.map(({ name, description, input, isReadOnly }) => ({
    name,
    description,
    inputSchema: JSON.parse(JSON.stringify(input)) as object,
    annotations: { readOnlyHint: isReadOnly },
  })),
};

const toolByName: ReadonlyMap<unknown, Tool> = new Map(allTools.map((tool) => [tool.name, tool]));

async function callTool(params: Members, { call, catalogue, turns }: MethodContext): Promise<object> {
  const { name, arguments: sent = {} } = params;
  const tool = toolByName.get(name);
  if (!tool) throw new RpcError("invalidParams", `Unknown tool: ${String(name).slice(0, 80)}`);
  if (!isMembers(sent)) throw new RpcError("invalidParams", "arguments must be an object");
  if (isDeeperThan(DEPTH_MAX, sent))
    return contentOf(refusal(`arguments must be nested at most ${DEPTH_MAX} levels deep`));
  const unknown = unknownArguments(tool, sent);
  const violations = unknown.length > 0 ? unknown : violationsOf(tool.input, sent);
  if (violations.length > 0) return contentOf(refusal("the arguments are not valid", { violations }));
  try {
    return contentOf(await tool.run(sent, { call, catalogue, turns }));
  } catch (error) {
    if (error instanceof ToolFailure) return contentOf(refusal(error.message));
    throw error;
  }
}

/** Maximum number of unknown arguments that an answer lists. */
const UNKNOWN_MAX = 10;

/** Returns a violation for each argument that the tool does not have, which agents can correct from its sentence. */
function unknownArguments({ name: toolName, input }: Tool, sent: Members): readonly Violation[] {
  const { properties = {} } = input as { readonly properties?: object };
  const known = Object.keys(properties);
  const theirs = known.length === 0 ? "it has none" : `its arguments are ${known.join(", ")}`;
  return Object.keys(sent)
    .filter((name) => !Object.hasOwn(properties, name))
    .slice(0, UNKNOWN_MAX)
    .map((name) => name.slice(0, 80))
    .map((field) => ({ field, description: `\`${field}\` is not an argument of ${toolName}; ${theirs}` }));
}

/**
 * Maximum depth of a tool's arguments. Deeper arguments could exhaust the stack of the functions that traverse them.
 */
const DEPTH_MAX = 64;

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeperThan(levels - 1, member));
}

function refusal(error: string, detail: object = {}): ToolResult {
  return { text: JSON.stringify({ error, ...detail }), isError: true };
}

function contentOf({ text, isError }: ToolResult): object {
  return { content: [{ type: "text", text }], ...(isError && { isError }) };
}
