import { snapshotStates } from "../snapshot.js";

type Json = Readonly<Record<string, unknown>>;
type Described = Json & { readonly description: string };

const text = (description: string, more: Json = {}): Described => ({
  description,
  schema: { type: "string", ...more },
});
const seconds = (description: string): Described => ({
  description,
  required: true,
  schema: { type: "integer", minimum: 1 },
});

/** Every header of the OpenAPI document, described once. */
const headers = {
  Allow: text("The methods of the path"),
  "Content-Digest": text("Of a signed answer: SHA-256 of the content as sent (RFC 9530)"),
  "Content-Location": text("Of a signed answer: path and query of the request"),
  Deprecation: text("Start of the deprecation (RFC 9745)"),
  ETag: text("Strong validator of this representation"),
  "Idempotency-Key": text("The `Idempotency-Key` of the call"),
  "Idempotent-Replayed": text("`true` if this is the stored answer to an earlier call", { enum: ["true", "false"] }),
  Link: text(
    "In CSV, JSON lines and GeoJSON: the next page, `rel=next` (RFC 8288). With `as_of`: the histories of the datasets, `rel=timemap`. Of a deprecated operation: the policy and the successor",
  ),
  "Memento-Datetime": text("The instant of `as_of` (RFC 7089)"),
  "X-Vigil-History": text(
    "For `as_of`: the datasets whose history around the instant is incomplete, each with the reason (`thinned` or `unrecorded`) and the time of the run that the answer is based on (`at`)",
  ),
  "Last-Modified": text("When the content was produced"),
  RateLimit: text("Remaining units of each limit (r), and seconds until the next unit is available (t)"),
  "RateLimit-Policy": text("Limits: name, units (q), window in seconds (w)"),
  "Retry-After": seconds("Seconds to wait"),
  Signature: text("Ed25519 signature (RFC 9421), if `signature` or `Accept-Signature` requests one"),
  "Signature-Input": text(
    "The components that the signature covers, its time, and the id of its key in `/.well-known/vigil-keys.json`",
  ),
  Sunset: text("Time of the operation's removal (RFC 8594)"),
  "WWW-Authenticate": text("Authentication schemes of the path"),
  "X-Billing-Verification": text("`subscription_lapsed` if the plan has lapsed"),
  "X-Vigil-Notice": text("Structured list of unknown parameters, unknown countries and inverted ranges"),
  "X-Vigil-Rows": text(
    "In CSV, JSON lines, GeoJSON and feeds: structured dictionary with the number of rows on this page (`count`) and on all pages (`total`)",
  ),
  "X-RateLimit-Mode": text("`degraded` while limits cannot be counted"),
  "X-Request-Id": text("Id of the call in the service's log"),
  "X-Vigil-Data": text("`simulated` on a demo instance, else absent"),
  "X-Vigil-Generation": text("Structured dictionary: the generation of each dataset read, 0 without data"),
  "X-Vigil-State": text("State of the answer's data", { enum: snapshotStates }),
} as const satisfies Readonly<Record<string, Described>>;
export type HeaderName = keyof typeof headers;

/** Shorter component names for headers that the document often refers to. */
const shortNames: Partial<Record<HeaderName, string>> = {
  "RateLimit-Policy": "Policy",
  "X-Request-Id": "Request",
  "X-Vigil-Data": "Data",
  "X-Vigil-Generation": "Gen",
  "X-Vigil-State": "State",
};

const componentOf = (name: HeaderName): string => shortNames[name] ?? name;

/** The components of the document. */
export const responseHeaders: Json = Object.fromEntries(
  Object.entries(headers).map(([name, header]) => [componentOf(name as HeaderName), header]),
);

/** The description of each header, for the page `docs/headers.md`. */
export const responseHeaderTexts: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(headers).map(([name, { description }]) => [name, description]),
);

/** References to the named headers. */
export function headerRefs(names: readonly HeaderName[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${componentOf(name)}` }]));
}
