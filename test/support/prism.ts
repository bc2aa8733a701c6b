import { readFileSync } from "node:fs";
import { getHttpOperationsFromSpec } from "@stoplight/prism-http";
import { createServer } from "@stoplight/prism-http-server";
import { pino } from "pino";

type Json = Readonly<Record<string, unknown>>;

/**
 * A media type of JSON. The Prism proxy cannot distinguish these types: it compares only the suffix after the plus
 * sign, or `json` if there is no plus sign.
 */
export type JsonType =
  | "application/json"
  | "application/geo+json"
  | "application/feed+json"
  | "application/problem+json";

/** A difference between an answer and the OpenAPI document. */
export interface Violation {
  readonly location: readonly string[];
  readonly severity: string;
  readonly code?: string;
  readonly message: string;
}

/** A proxy that compares each answer with an OpenAPI document. */
export interface ValidatingProxy {
  readonly url: string;
  close(): Promise<void>;
}

/** docs/openapi.json. */
export function publishedDocument(): Json {
  return JSON.parse(readFileSync(new URL("../../docs/openapi.json", import.meta.url), "utf8")) as Json;
}

/** Starts the Prism proxy in front of a service. */
export async function validatingProxy(document: Json, service: string): Promise<ValidatingProxy> {
  const operations = await getHttpOperationsFromSpec(structuredClone(document));
  const server = createServer(operations, {
    // Prism takes an older version of this logger, but calls only methods that are unchanged.
    components: { logger: pino({ level: "silent" }) as never },
    config: {
      isProxy: true,
      upstream: new URL(service),
      upstreamProxy: undefined,
      checkSecurity: false,
      // Invalid requests are forwarded, so the answers that reject them are compared as well.
      validateRequest: false,
      validateResponse: true,
      errors: false,
      mock: { dynamic: false },
    },
    cors: false,
  });
  return { url: await server.listen(0, "127.0.0.1"), close: () => server.close() };
}

/** The violations that the proxy found in an answer. */
export function violationsIn(headers: Headers): readonly Violation[] {
  const text = headers.get("sl-violations");
  if (text === null) return [];
  // If the list is too long for a header, Prism cuts it and puts "Too many violations!" before it. The header is then
  // not valid JSON.
  if (!text.startsWith("[")) return [{ location: [], severity: "Error", message: text }];
  const violations = JSON.parse(text) as readonly Violation[];
  return violations.filter(({ location }) => location[0] === "response");
}

/** Copies the document. If an answer offers this media type, the copy omits the answer's other media types of JSON. */
export function withOnly(document: Json, type: JsonType): Json {
  return mapped(document, (node) => {
    if (!("content" in node) || !isObject(node["content"]) || !(type in node["content"])) return node;
    const others = Object.entries(node["content"]).filter(([name]) => name === type || !/[/+]json$/.test(name));
    return { ...node, content: Object.fromEntries(others) };
  });
}

/** Limits a document to calls without `jmespath`, and forbids undocumented members in objects. */
export function unprojected(document: Json): Json {
  return mapped(document, (node) => {
    const alternatives = node["anyOf"];
    const own = Array.isArray(alternatives) ? alternatives.filter((schema) => !isProjected(schema)) : [];
    if (Array.isArray(alternatives) && own.length < alternatives.length) {
      const { anyOf: _, ...others } = node;
      return { ...others, ...(own.length === 1 ? (own[0] as Json) : { anyOf: own }) };
    }
    return "properties" in node && node["type"] === "object" ? { additionalProperties: false, ...node } : node;
  });
}

function isProjected(schema: unknown): boolean {
  return isObject(schema) && schema["$ref"] === "#/components/schemas/Projected";
}

/** A copy of the document in which `replace` was applied to every object, to inner objects first. */
function mapped(document: Json, replace: (node: Json) => Json): Json {
  function copy(node: unknown): unknown {
    if (Array.isArray(node)) return node.map(copy);
    if (!isObject(node)) return node;
    return replace(Object.fromEntries(Object.entries(node).map(([name, value]) => [name, copy(value)])));
  }
  return copy(document) as Json;
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null;
}
