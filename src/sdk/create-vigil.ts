import type { Answer } from "./answer.js";
import { answerCache, noCache } from "./answer-cache.js";
import type { CallFacts } from "./call-facts.js";
import { deltasOf } from "./deltas.js";
import { table } from "./generated/table.js";
import { settingsOf, type VigilOptions, type WriteOptions } from "./options.js";
import { pagesOf, rowsOf } from "./pages.js";
import type { AnyParams } from "./params.js";
import { changesOf, type Poll, type PollOptions, pollsOf } from "./polls.js";
import { type Link, receive } from "./receive.js";
import { factsOf, getOf, postOf, requestOf, targetOf } from "./request.js";
import { noGenerations, seenGenerations } from "./seen-generations.js";
import { type StreamOptions, streamed } from "./streams.js";
import type { UntypedCalls, Vigil } from "./vigil.js";

/** Creates a client of the service at an address. Nothing is sent before the first call. */
export function createVigil(options: VigilOptions): Vigil {
  const settings = settingsOf(options);
  const cache = options.cache === false ? noCache : answerCache(options.cache);
  const seen = options.isMonotonic === false ? noGenerations : seenGenerations();
  const calls = callsOf({ settings, cache, seen });
  // The cast is safe, because the generated types describe the methods that the generated table defines.
  return { ...servicesOf(calls), ...calls } as unknown as Vigil;
}

type Calls = ReturnType<typeof callsOf>;

/** Returns the calls of a client, by name and by path, without the types of individual calls. */
function callsOf(link: Link) {
  const { settings } = link;
  const { platform } = settings;
  const callByName = (name: string, params: AnyParams = {}, options: WriteOptions = {}): Promise<Answer<unknown>> =>
    receive(link, requestOf(settings, name, params, options), options.states);
  const pollOf = (name: string): Poll => ({ call: callByName, name, member: memberOf(name) });
  const rowsByName = (name: string, params: AnyParams = {}, options: WriteOptions = {}) =>
    rowsOf(callByName, name, memberOf(name), params, options);
  const streamByName = (name: string, params: AnyParams = {}, options: StreamOptions = {}) =>
    streamed(settings, targetOf(settings, name), params, options);
  return {
    call: callByName,
    callByName,
    text: callByName,
    pages: (name: string, params: AnyParams = {}, options: WriteOptions = {}) =>
      pagesOf(callByName, name, params, options),
    rows: rowsByName,
    rowsByName,
    polls: (name: string, params: AnyParams = {}, options: PollOptions = {}) =>
      pollsOf(pollOf(name), params, options, platform),
    changes: (name: string, params: AnyParams = {}, options: PollOptions = {}) =>
      changesOf(pollOf(name), params, options, platform),
    deltas: (name: string, params: AnyParams = {}, options: PollOptions = {}) =>
      deltasOf({ call: callByName, name, place: placeOf(name) }, params, options, platform),
    stream: streamByName,
    streamByName,
    get: (path, options = {}) => receive(link, getOf(settings, path, options), options.states),
    post: (path, body, options = {}) => receive(link, postOf(settings, path, body, options), options.states),
  } satisfies UntypedCalls & Readonly<Record<string, unknown>>;
}

/** Returns the name of the answer's member that has the list's rows. Throws `TypeError` for a call without pages. */
function memberOf(name: string): string {
  const { rows } = factsOf(name);
  if (rows === undefined) throw new TypeError(`${name} has no pages`);
  return rows;
}

/** Returns the path of the rows of a list that reports its changes. Throws `TypeError` for any other call. */
function placeOf(name: string): string {
  const { changingRows } = factsOf(name);
  if (changingRows === undefined) throw new TypeError(`${name} does not report its changes`);
  return changingRows;
}

/** Makes every call a method of its service. */
function servicesOf(calls: Calls): Readonly<Record<string, unknown>> {
  const services: Record<string, Record<string, unknown>> = {};
  for (const [name, facts] of Object.entries(table)) {
    const service = camelCase(facts.service);
    services[service] ??= {};
    services[service][camelCase(name)] = methodOf(calls, name, facts);
  }
  return services;
}

function methodOf(calls: Calls, name: string, { kind, rows, changingRows, isPoll }: CallFacts): unknown {
  type Params = AnyParams | undefined;
  if (kind === "stream") return (params: Params, options?: StreamOptions) => calls.stream(name, params, options);
  const method = (params: Params, options?: WriteOptions) => calls.callByName(name, params, options);
  const listed = {
    text: method,
    pages: (params: Params, options?: WriteOptions) => calls.pages(name, params, options),
    rows: (params: Params, options?: WriteOptions) => calls.rows(name, params, options),
  };
  const polled = {
    polls: (params: Params, options?: PollOptions) => calls.polls(name, params, options),
    changes: (params: Params, options?: PollOptions) => calls.changes(name, params, options),
  };
  const changing = {
    deltas: (params: Params, options?: PollOptions) => calls.deltas(name, params, options),
  };
  if (kind !== undefined) return method;
  const iterations = isPoll ? polled : rows === undefined ? { text: listed.text } : listed;
  return Object.assign(method, iterations, changingRows === undefined ? {} : changing);
}

function camelCase(name: string): string {
  return name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}
