import { queryOf } from "../../src/sdk/params.js";
import { factsOf } from "../../src/sdk/request.js";
import type { Call } from "../reads/read.js";

/** A call as text for one tool, such as curl. */
export interface CallForm {
  readonly name: string;
  readonly text: string;
}

/** The path of a read with its query. */
export function pathOf({ name, params }: Call): string {
  const { path, service } = factsOf(name);
  const query = String(queryOf(params));
  return `${path ?? `/api/${service}/v1/${name}`}${query === "" ? "" : `?${query}`}`;
}

/** A read in the form of an address, curl, the SDK, the command line and an agent tool call. */
export function callForms(call: Call, origin: string): readonly CallForm[] {
  const { name, params } = call;
  const address = origin + pathOf(call);
  const entries = [...queryOf(params)];
  const options = entries.map(([key, value]) => ` --param ${shellWord(`${key}=${value}`)}`).join("");
  const isEmpty = entries.length === 0;
  return [
    { name: "Address", text: address },
    { name: "curl", text: `curl -H "X-Service-Key: $KEY" ${shellWord(address)}` },
    { name: "TypeScript", text: `await vigil.call("${name}"${isEmpty ? "" : `, ${JSON.stringify(params)}`})` },
    { name: "Command line", text: `vigil call ${name}${options}` },
    {
      name: "MCP",
      text: JSON.stringify({ name: "call", arguments: { operation: name, params: wireParams(entries) } }),
    },
  ];
}

/**
 * The writes for which no tool call is shown: the writes of browsers and billing systems, and the batch (`execute`),
 * which has its own tool.
 */
const NOT_FOR_AGENTS: ReadonlySet<string> = new Set(["sign-in", "sign-out", "plan-events", "execute"]);

/** A write and its body, in the form of curl, the SDK, the command line and an agent tool call. */
export function writeForms(name: string, path: string, body: object, origin: string): readonly CallForm[] {
  const json = JSON.stringify(body);
  const headers = '-H "X-Service-Key: $KEY" -H "Content-Type: application/json"';
  return [
    { name: "curl", text: `curl ${headers} -d ${shellWord(json)} ${shellWord(origin + path)}` },
    { name: "TypeScript", text: `await vigil.call("${name}", ${json})` },
    { name: "Command line", text: `echo ${shellWord(json)} | vigil call ${name} --body -` },
    ...(NOT_FOR_AGENTS.has(name)
      ? []
      : [{ name: "MCP", text: JSON.stringify({ name: "write", arguments: { operation: name, body } }) }]),
  ];
}

/** Parameters by wire name. A repeated parameter has a list of its values. */
export function wireParams(entries: readonly (readonly [string, string])[]): Readonly<Record<string, unknown>> {
  const params = new Map<string, string | string[]>();
  for (const [key, value] of entries) {
    const last = params.get(key);
    params.set(key, last === undefined ? value : [last, value].flat());
  }
  return Object.fromEntries(params);
}

function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
