import type { Fault } from "./faults.js";
import type { BodyVariants, SimulatedAnswer } from "./upstream.js";

const ERROR_PAGE = `<!DOCTYPE html>
<html><head><title>Service interruption</title></head>
<body><h1>We will be right back</h1><p>This page is simulated.</p></body></html>
`;

/**
 * Applies a fault to the healthy answer. Without a fault, or with one that affects only the timing or the connection,
 * the answer is unchanged.
 */
export function answerUnder(
  fault: Fault | undefined,
  healthy: SimulatedAnswer,
  variants: BodyVariants | undefined,
): SimulatedAnswer {
  switch (fault?.kind) {
    case "redirect":
      return { status: 302, contentType: "text/plain; charset=utf-8", headers: { Location: fault.to }, body: "" };
    case "status":
      return statusAnswer(fault.code, fault.retryAfter);
    case "html":
      return { status: 200, contentType: "text/html; charset=UTF-8", body: ERROR_PAGE };
    case "blank":
      return { status: 200, contentType: healthy.contentType, body: "" };
    case "changed":
      return rewritten(healthy, variants?.changed);
    case "empty":
      return rewritten(healthy, variants?.empty);
    case "bad-row":
      return rewritten(healthy, variants?.badRow);
    default:
      return healthy;
  }
}

function statusAnswer(code: number, retryAfter: number | string | undefined): SimulatedAnswer {
  const headers = retryAfter === undefined ? {} : { "Retry-After": String(retryAfter) };
  return { status: code, contentType: "text/plain; charset=utf-8", headers, body: `Error ${code}\n` };
}

/**
 * Rewrites the body of an answer. An error or a redirect of the upstream itself stays unchanged. Returns a 501 if the
 * upstream does not define the rewrite, so that a fault without effect is noticed.
 */
function rewritten(healthy: SimulatedAnswer, rewrite: ((body: string) => string) | undefined): SimulatedAnswer {
  if (healthy.status >= 300) return healthy;
  if (rewrite === undefined) {
    return {
      status: 501,
      contentType: "text/plain; charset=utf-8",
      body: "no upstream file defines this variant of the answer\n",
    };
  }
  return { ...healthy, body: rewrite(Buffer.from(healthy.body).toString("utf8")) };
}
