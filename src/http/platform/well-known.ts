import { failure } from "../../contract/failures.js";
import type { PlatformPath } from "../../contract/openapi.js";
import { type Clock, DAY_MS } from "../../kit/clock.js";
import type { Answer } from "../exchange.js";
import { ApiCatalog } from "./answers/documents.js";

const API_CATALOG_PATH = "/.well-known/api-catalog";
const SECURITY_PATH = "/.well-known/security.txt";
const LINKSET = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';
/** Days until `security.txt` expires. RFC 9116 recommends less than a year. */
const SECURITY_DAYS = 180;

export interface WellKnownParts {
  /** Origin at which callers reach the service. */
  readonly origin: string;
  /** Addresses for reports of vulnerabilities. */
  readonly securityContacts: readonly string[];
  readonly clock: Clock;
}

/** The documentation of the files under `/.well-known/` by which programs discover the service. */
export const wellKnownPaths: readonly PlatformPath[] = [
  {
    path: API_CATALOG_PATH,
    operationId: "api-catalog",
    summary: "Links to the descriptions of this API",
    description: "A linkset (RFC 9727): OpenAPI document, reference, page for agents, service groups and status.",
    isOpen: true,
    contentType: "application/linkset+json",
    answer: ApiCatalog,
  },
  {
    path: SECURITY_PATH,
    operationId: "security-txt",
    summary: "Contact for reports of vulnerabilities",
    description: "The contact in the format of RFC 9116; a 404 until the operator has set `VIGIL_SECURITY_CONTACT`.",
    isOpen: true,
    contentType: "text/plain",
    failures: ["notFound"],
  },
];

/** The functions that answer `wellKnownPaths`, by path. */
export function wellKnownAnswers(parts: WellKnownParts): Readonly<Record<string, () => Answer>> {
  const catalog = apiCatalog(parts.origin);
  return { [API_CATALOG_PATH]: () => catalog, [SECURITY_PATH]: () => securityText(parts) };
}

function apiCatalog(origin: string): Answer {
  const link = (path: string, type: string): object => ({ href: `${origin}${path}`, type });
  const linkset = [
    {
      anchor: `${origin}/api`,
      "service-desc": [link("/openapi.json", "application/json")],
      "service-doc": [link("/docs", "text/html"), link("/llms.txt", "text/plain")],
      "service-meta": [link("/api/catalog", "application/json")],
      status: [link("/api/health?compact=1", "application/json")],
    },
  ];
  return {
    status: 200,
    headers: {
      "Content-Type": LINKSET,
      "Cache-Control": "no-cache",
      Link: `<${origin}${API_CATALOG_PATH}>; rel="api-catalog"`,
    },
    body: JSON.stringify({ linkset }),
  };
}

/** The text of `security.txt`. Its expiry is rounded to whole days, so that the text changes only once a day. */
function securityText({ origin, securityContacts, clock }: WellKnownParts): Answer {
  if (securityContacts.length === 0) throw failure("notFound", null);
  const expires = new Date((Math.floor(clock.now() / DAY_MS) + SECURITY_DAYS) * DAY_MS);
  const lines = [
    ...securityContacts.map((contact) => `Contact: ${contact}`),
    `Expires: ${expires.toISOString()}`,
    "Preferred-Languages: en",
    `Canonical: ${origin}${SECURITY_PATH}`,
  ];
  return {
    status: 200,
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-cache" },
    body: `${lines.join("\n")}\n`,
  };
}
