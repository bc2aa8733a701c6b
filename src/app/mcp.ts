import { Type } from "typebox";
import type { PlatformPath } from "../contract/openapi.js";
import type { Answer, MessageRoute } from "../http/exchange.js";
import { OwnCall } from "../http/own-call.js";
import type { Pipeline } from "../http/pipeline.js";
import { demoAnswers } from "../http/platform/demo-answers.js";
import { wireName } from "../http/query.js";
import type { LoopTurns } from "../kit/loop-turns.js";
import type { CallAnswer, Caller } from "../mcp/caller.js";
import type { CatalogueParts } from "../mcp/catalogue.js";
import type { McpServer } from "../mcp/server.js";
import { version } from "./version.js";

export const MCP_PATH = "/mcp";

interface McpRouteParts extends Pick<CatalogueParts, "operations" | "accountReads" | "writes" | "datasets"> {
  /** The pipeline through which tools call the API. */
  readonly pipeline: () => Pipeline;
  readonly turns: LoopTurns;
  readonly onFault: (error: unknown) => void;
}

/**
 * Creates the route of the Model Context Protocol over HTTP. The server's code is loaded when the first message
 * arrives.
 */
export function mcpRoute({ pipeline, turns, onFault, ...declared }: McpRouteParts): MessageRoute {
  let server: Promise<McpServer> | undefined;
  const load = async (): Promise<McpServer> => {
    const [{ mcpServer }, { catalogueOf }] = await Promise.all([
      import("../mcp/server.js"),
      import("../mcp/catalogue.js"),
    ]);
    const bytesOf = (path: string): number | undefined => demoAnswers[path]?.bytes;
    return mcpServer({ catalogue: catalogueOf({ ...declared, wireName, bytesOf }), version, turns, onFault });
  };
  return {
    kind: "message",
    path: MCP_PATH,
    async answer({ call }, bytes) {
      server ??= load();
      const answerMessage = await server;
      const caller: Caller = async (own) => new OwnAnswer(await pipeline()(new OwnCall(call, own)));
      const { status, message } = await answerMessage({ bytes, header: (name) => call.header(name), call: caller });
      const headers = { "Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store" };
      return message
        ? { status, headers, body: JSON.stringify(message) }
        : { status, headers: { "Cache-Control": "no-store" }, body: undefined };
    },
  };
}

/** The answer to a tool's call. Its text is decoded when a tool reads it, so that a batch decodes one at a time. */
class OwnAnswer implements CallAnswer {
  readonly status: number;
  readonly headers: Answer["headers"];
  private readonly body: Answer["body"];

  constructor({ status, headers, body }: Answer) {
    this.status = status;
    this.headers = headers;
    this.body = body;
  }

  get text(): string {
    return String(this.body ?? "");
  }
}

const JsonRpcError = Type.Object(
  {
    jsonrpc: Type.Literal("2.0", { description: "Version of JSON-RPC" }),
    id: Type.Optional(
      Type.Union([Type.String(), Type.Integer()], {
        description: "Id of the request; absent if the request could not be read",
      }),
    ),
    error: Type.Object(
      {
        code: Type.Integer({ description: "Code of JSON-RPC 2.0 or of the Model Context Protocol, such as -32601" }),
        message: Type.String({ description: "A sentence about the error" }),
        data: Type.Optional(Type.Unknown({ description: "Details, such as the supported versions of the protocol" })),
      },
      { title: "JsonRpcFault", description: "The reason for an error of the protocol." },
    ),
  },
  { title: "JsonRpcError", description: "An error of the protocol. Errors of tools are results instead." },
);

/** The documentation of the path. */
export const mcpPath: PlatformPath = {
  path: MCP_PATH,
  method: "post",
  operationId: "mcp",
  summary: "Model Context Protocol",
  description:
    "JSON-RPC messages over streamable HTTP, without sessions. Each call of a tool counts as the REST calls that it makes. docs/agents.md lists the tools.",
  isOpen: false,
  contentType: "application/json",
  failures: ["originRefused", "tooManyRequests", "payloadTooLarge", "methodNotAllowed"],
  furtherAnswers: [
    { status: 202, description: "The message is a notification or a response, which gets no answer." },
    {
      status: 400,
      description: "The body is not a message, or its version or a header does not fit.",
      schema: JsonRpcError,
    },
    {
      status: 404,
      description: "The method does not exist. Versions before 2026-07-28 get this error with status 200.",
      schema: JsonRpcError,
    },
  ],
};
