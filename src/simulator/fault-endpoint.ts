import type { IncomingMessage } from "node:http";
import { faultOrderFrom } from "./fault-order.js";
import type { FaultControl } from "./faults.js";
import { jsonReply, type Reply, textReply } from "./reply.js";
import { BODY_BYTES_MAX, readBody } from "./request-body.js";

/**
 * Answers a request for `/_faults`. GET lists the faults, and POST adds one. DELETE clears all faults, or only the
 * fault that the query selects: `?upstream=…&match=…`.
 */
export async function answerFaultControl(request: IncomingMessage, faults: FaultControl): Promise<Reply> {
  switch (request.method) {
    case "GET":
      return jsonReply(200, { faults: faults.list() });
    case "POST":
      return await addFault(request, faults);
    case "DELETE":
      faults.clear(selectorIn(request.url ?? ""));
      return jsonReply(200, { faults: faults.list() });
    default:
      return textReply(405, "only GET, POST and DELETE");
  }
}

async function addFault(request: IncomingMessage, faults: FaultControl): Promise<Reply> {
  const body = await readBody(request);
  if (body === undefined) return textReply(413, `the body must not exceed ${BODY_BYTES_MAX} bytes`);
  try {
    const { fault, times, ...selector } = faultOrderFrom(JSON.parse(body));
    faults.set(selector, fault, times);
  } catch (error) {
    return textReply(400, error instanceof Error ? error.message : String(error));
  }
  return jsonReply(200, { faults: faults.list() });
}

function selectorIn(target: string): { readonly upstream: string; readonly match?: string } | undefined {
  const query = new URL(target, "http://simulator").searchParams;
  const upstream = query.get("upstream");
  const match = query.get("match");
  return upstream === null ? undefined : { upstream, ...(match !== null && { match }) };
}
