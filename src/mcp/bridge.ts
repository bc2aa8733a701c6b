import { errorMessage, isMembers, type Members, RpcError, type RpcRequest, rpcRequest } from "./json-rpc.js";
import { linesOf } from "./lines.js";
import { headersFor } from "./versions.js";

/** The answer of the service to a posted message. */
export interface PostedAnswer {
  readonly status: number;
  readonly text: string;
  readonly retryAfter: string | null;
}

export interface BridgeParts {
  readonly input: AsyncIterable<Uint8Array>;
  /** Writes one line. */
  readonly print: (line: string) => void;
  /** Posts a message to the service. Rejects with a readable sentence if no service answers. */
  readonly post: (
    body: Uint8Array,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ) => Promise<PostedAnswer>;
  readonly signal: AbortSignal;
}

/** Maximum number of messages in progress at the same time; further messages wait. */
const MESSAGES_MAX = 32;

/**
 * Sends the requests of an agent, one per line, to the service and prints the service's answers, until the input ends.
 * Answers are printed in the order in which they arrive, as the protocol permits.
 */
export async function bridge(parts: BridgeParts): Promise<void> {
  const running = new Set<Promise<void>>();
  const requests = new Map<string | number, AbortController>();
  for await (const line of linesOf(parts.input)) {
    if (parts.signal.aborted) break;
    const work = carry(parts, line, requests).finally(() => running.delete(work));
    running.add(work);
    if (running.size >= MESSAGES_MAX) await Promise.race(running);
  }
  await Promise.all(running);
}

async function carry(
  parts: BridgeParts,
  line: Uint8Array | undefined,
  requests: Map<string | number, AbortController>,
): Promise<void> {
  const { print, post, signal } = parts;
  let request: RpcRequest | undefined;
  const cancel = new AbortController();
  try {
    if (!line) throw new RpcError("invalidRequest", "the message is too long");
    request = rpcRequest(line);
    if (!request) {
      cancelNamed(line, requests);
      return;
    }
    requests.set(request.id, cancel);
    const answer = await post(line, headersFor(request), AbortSignal.any([signal, cancel.signal]));
    print(JSON.stringify(messageIn(answer, request.id)));
  } catch (error) {
    // A cancelled request gets no answer.
    if (cancel.signal.aborted || signal.aborted) return;
    const reported = error instanceof RpcError ? error : new RpcError("internal", sentenceOf(error));
    print(JSON.stringify(errorMessage(request?.id, reported)));
  } finally {
    if (request && requests.get(request.id) === cancel) requests.delete(request.id);
  }
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Ends the request that a notification cancels. The notification is not forwarded, because the service has no sessions.
 */
function cancelNamed(line: Uint8Array, requests: ReadonlyMap<string | number, AbortController>): void {
  // The cast is safe, because `rpcRequest` has already read the line as an object.
  const { method, params } = JSON.parse(Buffer.from(line).toString("utf8")) as Members;
  if (method !== "notifications/cancelled" || !isMembers(params)) return;
  requests.get(params["requestId"] as string | number)?.abort(new Error("cancelled"));
}

/**
 * Returns the JSON-RPC message of an answer. An answer without such a message, such as the refusal of a key, becomes an
 * error message.
 */
function messageIn({ status, text, retryAfter }: PostedAnswer, id: string | number): object {
  const body = jsonIn(text);
  if (isMembers(body) && body["jsonrpc"] === "2.0") return body;
  const members = isMembers(body) ? body : {};
  const sentence =
    members["message"] ?? members["error"] ?? "an unknown message; is VIGIL_URL the address of a Vigil service?";
  const detail = { status, ...(retryAfter !== null && { retryAfterSeconds: Number(retryAfter) }) };
  const remedy = status === 401 ? "; set VIGIL_KEY to one of its keys" : "";
  return errorMessage(
    id,
    new RpcError("internal", `the service answered ${status}: ${sentence}${remedy}`, 200, detail),
  );
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
