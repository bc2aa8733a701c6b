import { wireName } from "../../http/query.js";
import { suggestion } from "../../kit/nearest.js";
import { table as textTable } from "../../kit/text-table.js";
import { table } from "../../sdk/generated/table.js";
import type { Services } from "../../services/registry.js";

/** All calls of the API, keyed by name. */
export const calls = table;

/** Formats a table of all calls, with the service and the kind of each. */
export function callsText(): string {
  const rows = Object.entries(calls).map(([name, { service, kind = "read" }]) => [name, service, kind]);
  return textTable(["call", "service", "kind"], rows);
}

/** The reason why `vigil call` cannot call this name; undefined if it can. */
export function refusedCall(name: string): string | undefined {
  if (!Object.hasOwn(calls, name)) {
    return `there is no call ${name}${suggestion(name, Object.keys(calls)) || "; vigil call lists all calls"}`;
  }
  const stream = /^stream-(.+)$/.exec(name)?.[1];
  return calls[name]?.kind === "stream" ? `${name} is a stream; vigil watch ${stream} follows it` : undefined;
}

interface Described {
  readonly summary: string;
  readonly description: string;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly request?: unknown;
}

interface Parameter {
  readonly description: string;
  readonly required: boolean;
}

/** Describes a call and its input: the parameters of a read as a table, or the JSON schema of the body of a write. */
export function describedCall(services: Services, name: string): string {
  const declared = declarationOf(services, name);
  if (declared === undefined) return `${name} is a path of the platform; /docs describes it`;
  const { summary, description, query, request } = declared;
  const input = request === undefined ? parametersText(query ?? {}) : JSON.stringify(request, null, 2);
  return [summary, "", description, "", input].join("\n");
}

function declarationOf(services: Services, name: string): Described | undefined {
  const { operations, accountReads, writes, linkedFeeds } = services;
  const all: readonly (Described & { readonly rpc: string })[] = [
    ...operations.map(({ operation }) => operation),
    ...accountReads.map(({ read }) => read),
    ...writes.map(({ write }) => write),
    ...linkedFeeds.map(({ feed }) => feed),
  ];
  return all.find(({ rpc }) => rpc === name);
}

function parametersText(query: Readonly<Record<string, unknown>>): string {
  const rows = Object.entries(query).map(([field, parameter]) => {
    // The cast is safe, because every declared member of a query is a QueryField.
    const { description, required } = parameter as Parameter;
    return [wireName(field), required ? "required" : "", description];
  });
  return rows.length === 0 ? "It takes no parameters." : textTable(["parameter", "", "meaning"], rows);
}
