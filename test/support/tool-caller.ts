import type { Pipeline } from "../../src/http/pipeline.js";
import { call, json } from "./stack.js";

/** The result of a tool: its text, and the JSON value in the text. */
export interface ToolReply {
  readonly text: string;
  readonly json: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
}

/** Calls a tool and returns its result. */
export type AskTool = (name: string, args?: object) => Promise<ToolReply>;

/** Returns a function that calls the tools of `/mcp` in this process with these headers. */
export function toolCaller(answer: Pipeline, headers: Readonly<Record<string, string>>): AskTool {
  return async (name, args = {}) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } });
    return replyOf(
      (json(await call(answer, "POST", "/mcp", headers, { body })) as { readonly result: unknown }).result,
    );
  };
}

/** Reads the only text of a result. */
export function replyOf(result: unknown): ToolReply {
  // The cast is safe, because other tests read such results through the official clients, which check the schema.
  const { content, isError } = result as { content: readonly { text: string }[]; isError?: boolean };
  const text = content[0]?.text ?? "";
  return { text, json: JSON.parse(text), isError: isError === true };
}
