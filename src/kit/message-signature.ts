import { createHash } from "node:crypto";
import { type InnerList, type Item, innerListText, itemText } from "./structured-fields.js";

/** Returns the value of a component of a message; undefined if the message lacks the component. */
export type ComponentValue = (component: Item) => string | undefined;

/**
 * The first covered component that is missing from the message or listed twice, as text; undefined if there is none.
 */
export function unusableComponent({ items }: InnerList, valueIn: ComponentValue): string | undefined {
  const named = new Set<string>();
  for (const item of items) {
    const text = itemText(item);
    if (named.has(text) || valueIn(item) === undefined) return text;
    named.add(text);
  }
  return undefined;
}

/** The text that a signature covers (RFC 9421, section 2.5). `covered` is the value in `Signature-Input`. */
export function signatureBase(covered: InnerList, valueIn: ComponentValue): string {
  const lines = covered.items.map((item) => `${itemText(item)}: ${valueIn(item)}`);
  return [...lines, `"@signature-params": ${innerListText(covered)}`].join("\n");
}

/** The value of `Content-Digest` (RFC 9530) for the content as sent. */
export function contentDigest(content: Uint8Array): string {
  return `sha-256=:${createHash("sha256").update(content).digest("base64")}:`;
}

const NO_PARAMETERS: Item["parameters"] = new Map();
const OF_REQUEST: Item["parameters"] = new Map([["req", true]]);

/** A component of the message itself, such as `@status` or a header. */
export function component(name: string): Item {
  return { value: name, parameters: NO_PARAMETERS };
}

/** A component of the request that a response answers, such as `"@path";req`. */
export function requestComponent(name: string): Item {
  return { value: name, parameters: OF_REQUEST };
}

/** Values of the components of a response, by their names. */
export interface ResponseComponents {
  /** `@status` and the headers, in lower case. */
  readonly response: ReadonlyMap<string, string>;
  /** `@method`, `@path` and `@query` of the request. */
  readonly request: ReadonlyMap<string, string>;
}

/** Reads components of a response and, with `req`, of its request. Components with other parameters have no value. */
export function responseValues({ response, request }: ResponseComponents): ComponentValue {
  return ({ value, parameters }) => {
    if (typeof value !== "string") return undefined;
    if (parameters.size === 0) return response.get(value);
    return parameters.size === 1 && parameters.get("req") === true ? request.get(value) : undefined;
  };
}

/** The components `@path` and `@query` of a request target (RFC 9421, sections 2.2.6 and 2.2.7). */
export function targetComponents(target: string): readonly (readonly [name: string, value: string])[] {
  const at = target.indexOf("?");
  const path = at < 0 ? target : target.slice(0, at);
  return [
    ["@path", path],
    ["@query", at < 0 ? "?" : target.slice(at)],
  ];
}
