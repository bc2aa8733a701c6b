import type { Answer, DataState } from "./answer.js";
import { MalformedAnswerError } from "./errors.js";
import type { CallOptions } from "./options.js";
import type { AnyParams } from "./params.js";

/** Sends a call with parameters. */
export type Call = (name: string, params: AnyParams, options: CallOptions) => Promise<Answer<unknown>>;

/** The states in which data is available. In any other state, an empty list does not mean that there are no rows. */
const WITH_DATA: readonly DataState[] = ["ok", "partial", "stale"];

/** Yields the pages of a list, each with its metadata. */
export async function* pagesOf(
  call: Call,
  name: string,
  params: AnyParams,
  options: CallOptions,
): AsyncGenerator<Answer<unknown>, void, undefined> {
  let cursor = params["cursor"];
  for (;;) {
    const page = await call(name, { ...params, cursor }, options);
    yield page;
    const next = nextCursorIn(page.data);
    if (next === "") return;
    if (next === cursor) throw new MalformedAnswerError(`${name} answered with the same page again`);
    cursor = next;
  }
}

/** Yields the rows of a list. */
export async function* rowsOf(
  call: Call,
  name: string,
  member: string,
  params: AnyParams,
  options: CallOptions,
): AsyncGenerator<unknown, void, undefined> {
  for await (const { data } of pagesOf(call, name, params, { states: WITH_DATA, ...options })) {
    yield* listIn(data, member);
  }
}

/**
 * Returns the cursor of the next page; empty on the last page. It is a member of the answer or of the answer's
 * `pagination`.
 */
export function nextCursorIn(data: unknown): string {
  const next = memberOf(data, "nextCursor") ?? memberOf(memberOf(data, "pagination"), "nextCursor");
  return typeof next === "string" ? next : "";
}

export function listIn(data: unknown, member: string): readonly unknown[] {
  const list = memberOf(data, member);
  if (Array.isArray(list)) return list;
  throw new MalformedAnswerError(`the answer has no list ${member}`);
}

export function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as AnyParams)[name] : undefined;
}
