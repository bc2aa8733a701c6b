import type { Watch, WatchRequest } from "../../../src/sdk/index.js";
import { factsOf } from "../../../src/sdk/request.js";
import { pathOf, wireParams } from "../../parts/call-forms.js";

/** A watch as the form holds it. An optional member that is an empty string is omitted from the watch. */
export interface Draft {
  readonly name: string;
  readonly operation: string;
  /** The parameters as JSON. */
  readonly params: string;
  readonly on: WatchRequest["on"];
  readonly condition: string;
  readonly identity: string;
  readonly side: "above" | "below";
  readonly threshold: string;
  readonly clearsAt: string;
  readonly quietMinutes: string;
  readonly isByRow: boolean;
  readonly emails: string;
}

/** Parameters that the call of a watch must not have. `draftOf` drops them. */
const OWN_PARAMS = new Set([
  "asOf",
  "cursor",
  "explain",
  "format",
  "jmespath",
  "pageSize",
  "signature",
  "sinceGeneration",
]);

/** The draft of a new watch on a call. */
export function draftOf(operation: string, params: string): Draft {
  return {
    name: operation.replaceAll("-", " "),
    operation,
    params: paramsText(params),
    on: rowsOf(operation) === undefined ? "WATCH_ON_CHANGED" : "WATCH_ON_NEW_ROWS",
    condition: "",
    identity: "",
    side: "above",
    threshold: "",
    clearsAt: "",
    quietMinutes: "",
    isByRow: false,
    emails: "",
  };
}

/** The draft of an existing watch. */
export function draftOfWatch(watch: Watch): Draft {
  const { name, call, on, condition = "", identity = "", threshold, quietSeconds, grouping, emails } = watch;
  const [path = "", query = ""] = call.split("?");
  const params = wireParams([...new URLSearchParams(query)]);
  return {
    name,
    operation: path.slice(path.lastIndexOf("/") + 1),
    params: Object.keys(params).length === 0 ? "" : JSON.stringify(params),
    on,
    condition,
    identity,
    side: threshold?.below === undefined ? "above" : "below",
    threshold: numberText(threshold?.above ?? threshold?.below),
    clearsAt: numberText(threshold?.clearsAt),
    quietMinutes: quietSeconds === 0 ? "" : String(quietSeconds / MINUTE_SECONDS),
    isByRow: grouping === "WATCH_GROUPING_ROW",
    emails: emails.join(", "),
  };
}

const numberText = (value: number | undefined): string => (value === undefined ? "" : String(value));

function paramsText(text: string): string {
  const params = paramsIn(text);
  if (params === undefined) return text;
  const kept = Object.entries(params).filter(([name]) => !OWN_PARAMS.has(name));
  return kept.length === 0 ? "" : JSON.stringify(Object.fromEntries(kept));
}

/** Parses the parameters in a string: none if it is blank, undefined if it is not a JSON object. */
export function paramsIn(text: string): Readonly<Record<string, unknown>> | undefined {
  if (text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** The member that holds an operation's rows; undefined if it has none, or for an unknown operation. */
export function rowsOf(operation: string): string | undefined {
  try {
    return factsOf(operation).rows;
  } catch {
    return undefined;
  }
}

export const comparesRows = (on: Watch["on"]): boolean => on === "WATCH_ON_NEW_ROWS" || on === "WATCH_ON_CHANGED";

/** The path and query of the watched call; empty if the call cannot be made. */
export function callOf({ operation, params }: Pick<Draft, "operation" | "params">): string {
  const values = paramsIn(params);
  if (values === undefined) return "";
  try {
    return pathOf({ name: operation, params: values });
  } catch {
    return "";
  }
}

const MINUTE_SECONDS = 60;

/** The watch request of a draft. It contains only the members that the draft's trigger (`on`) accepts. */
export function requestOf(draft: Draft): WatchRequest {
  const { name, on, condition, identity, quietMinutes, isByRow, emails } = draft;
  const addresses = emails.split(/[\s,;]+/).filter((address) => address !== "");
  return {
    name,
    call: callOf(draft),
    on,
    ...(condition.trim() !== "" && on !== "WATCH_ON_STATE_CHANGES" && { condition }),
    ...(identity.trim() !== "" && comparesRows(on) && { identity }),
    ...(on === "WATCH_ON_THRESHOLD_CROSSED" && draft.threshold !== "" && { threshold: thresholdOf(draft) }),
    ...(quietMinutes !== "" && { quietSeconds: Math.round(Number(quietMinutes) * MINUTE_SECONDS) }),
    ...(isByRow && comparesRows(on) && { grouping: "WATCH_GROUPING_ROW" as const }),
    ...(addresses.length > 0 && { emails: addresses }),
  };
}

function thresholdOf({ side, threshold, clearsAt }: Draft): NonNullable<WatchRequest["threshold"]> {
  return { [side]: Number(threshold), ...(clearsAt !== "" && { clearsAt: Number(clearsAt) }) };
}

/** The reason why a trigger cannot use the value of the condition; undefined if it can. */
export function valueTrouble(on: Watch["on"], value: unknown): string | undefined {
  if (on === "WATCH_ON_NEW_ROWS" && !Array.isArray(value)) {
    return "The trigger “new rows” needs a condition that yields an array.";
  }
  if (on === "WATCH_ON_THRESHOLD_CROSSED" && value !== null && typeof value !== "number") {
    return "A threshold needs a condition that yields a number.";
  }
  return undefined;
}
