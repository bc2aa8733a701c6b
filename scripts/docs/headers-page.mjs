// docs/headers.md: the headers that calls may send and answers may have.
import { responseHeaderTexts } from "../../dist/contract/openapi/response-headers.js";
import { table } from "./markdown.mjs";

/** The request headers with their effect. */
const requestHeaders = {
  Accept:
    "`application/problem+json`: errors as problem documents. `text/csv`, `application/x-ndjson`, `application/geo+json`: rows of a list; see [formats](formats.md). `text/markdown`: these pages as Markdown.",
  "Accept-Encoding": "`br` or `gzip`: a compressed answer.",
  "Accept-Signature": "Requests a signed answer; see [proofs](proofs.md).",
  Authorization: "`Bearer` and a key or an access token; see [access](access.md).",
  "Content-Type": "Type of the body of a POST: `application/json`.",
  "Idempotency-Key":
    "A string of 1 to 255 visible ASCII characters. For 24 hours, a repeat of the POST with the same value gets the first answer.",
  "If-None-Match":
    "The `ETag` of an earlier answer. If the answer has not changed, a 304 without a body is sent, which does not count against the daily limit.",
  "If-Modified-Since": "A `Last-Modified` time, used if no `If-None-Match` is sent.",
  "Last-Event-ID": "The id of the last event that a [stream](streams.md) delivered; the new stream continues after it.",
  Origin: "Sent by browsers; must be on the list of allowed origins.",
  "X-Api-Key": "The key, in a header that some clients require.",
  "X-Request-Id": "Your own id for the call, for the log.",
  "X-Service-Key": "The key.",
  "X-Vigil-Min-Generation":
    "`X-Vigil-Generation` of earlier answers, such as `co2=12, ice=4`: the answer is made from these generations or newer ones, on every node. Datasets that the operation does not read are ignored. A node that has not loaded these generations waits up to 2 s, then answers 503 with `Retry-After`. Items of a batch use the header of the batch.",
};

export function headersPage() {
  const rows = Object.entries(responseHeaderTexts).map(([name, text]) => [`\`${name}\``, `${text}.`]);
  return `# Headers

## Request headers

${table(
  ["header", "effect"],
  Object.entries(requestHeaders).map(([name, text]) => [`\`${name}\``, text]),
)}

## Response headers

\`X-Vigil-State\` and \`X-Vigil-Generation\` are on every data answer, including a 304. \`Last-Modified\` is missing
only if the data is \`absent\` or \`unreadable\`. [Concepts](concepts.md) explains these headers.

${table(["header", "content"], rows)}
`;
}
