import type { Fault, FaultOrder } from "./faults.js";

type Fields = Readonly<Record<string, unknown>>;

/** Parses a fault order from JSON. Throws an error that names the field and its requirement. */
export function faultOrderFrom(value: unknown): FaultOrder {
  const { upstream, match, fault, times } = fieldsOf(value, "the body");
  if (typeof upstream !== "string" || upstream === "") throw new Error('"upstream" must be a name, a host or "*"');
  if (match !== undefined && typeof match !== "string") throw new Error('"match" must be text');
  return {
    upstream,
    ...(match !== undefined && { match }),
    fault: faultFrom(fieldsOf(fault, '"fault"')),
    ...(times !== undefined && { times: numberIn(times, "times", 1, 1_000_000) }),
  };
}

function faultFrom(fields: Fields): Fault {
  const kind = fields["kind"];
  switch (kind) {
    case "status":
      return { kind, code: numberIn(fields["code"], "code", 200, 599), ...retryAfterOf(fields["retryAfter"]) };
    case "redirect":
      return { kind, to: addressOf(fields["to"]) };
    case "delay":
      return { kind, ms: numberIn(fields["ms"], "ms", 0, 3_600_000) };
    case "cut":
      return { kind, afterRatio: ratioOf(fields["afterRatio"]), ...framingOf(fields["framing"]) };
    case "hang":
    case "down":
    case "html":
    case "blank":
    case "changed":
    case "empty":
    case "bad-row":
      return { kind };
    default:
      throw new Error(`no fault is called ${JSON.stringify(kind)}`);
  }
}

function retryAfterOf(value: unknown): { readonly retryAfter?: number | string } {
  if (value === undefined) return {};
  if (typeof value === "number" && value >= 0) return { retryAfter: value };
  // A header cannot contain control characters: Node throws when it sends such a header.
  if (typeof value === "string" && /^[\x20-\x7e]*$/.test(value)) return { retryAfter: value };
  throw new Error('"retryAfter" must be seconds or printable text');
}

function addressOf(value: unknown): string {
  if (typeof value === "string" && /^https?:\/\/[\x21-\x7e]+$/.test(value) && URL.canParse(value)) return value;
  throw new Error('"to" must be an http or https address');
}

function framingOf(value: unknown): { readonly framing?: "length" | "chunked" } {
  if (value === undefined) return {};
  if (value === "length" || value === "chunked") return { framing: value };
  throw new Error('"framing" must be "length" or "chunked"');
}

function ratioOf(value: unknown): number {
  if (typeof value === "number" && value >= 0 && value <= 1) return value;
  throw new Error('"afterRatio" must be a number from 0 to 1');
}

function numberIn(value: unknown, name: string, min: number, max: number): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= min && value <= max) return value;
  throw new Error(`"${name}" must be a whole number from ${min} to ${max}`);
}

function fieldsOf(value: unknown, name: string): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error(`${name} must be an object`);
  // The cast is safe: the checks above leave only objects, whose fields may be read by name.
  return value as Fields;
}
