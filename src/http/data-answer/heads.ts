import type { Principal } from "../../contract/access/principal.js";
import { cacheControl, worstState } from "../../contract/cache-policy.js";
import type { AvailableSnapshot, Snapshot } from "../../contract/snapshot.js";
import type { Answer, Exchange } from "../exchange.js";
import { httpDateText } from "../http-date.js";
import { preparedAnswer } from "../prepared-answer.js";
import { bytesOf, type Encoding, etagOf } from "../representation.js";
import { allOf, generationsOf, type Ingredients, lastModifiedAt, type Observed } from "./ingredients.js";
import { pastHeaders } from "./past-answer.js";
import type { ReadyAnswer } from "./ready-answer.js";

type Headers = Answer["headers"];

/** The 304 for a caller that already has the answer with this ETag. */
export function notModified(exchange: Exchange, ingredients: Ingredients, ready: ReadyAnswer, etag: string): Answer {
  return withNotice(
    ingredients,
    sharedAnswer(exchange, ready, etag, () => ({
      status: 304,
      headers: { ...dataHeaders(exchange, ingredients, ready), ETag: etag },
      body: undefined,
    })),
  );
}

/** The whole answer in an encoding that is ready. */
export function wholeAnswer(
  exchange: Exchange,
  ingredients: Ingredients,
  ready: ReadyAnswer,
  encoding: Encoding,
): Answer {
  const answer = sharedAnswer(exchange, ready, encoding, () => {
    const body = bytesOf(ready.body, encoding);
    const headers = { ...dataHeaders(exchange, ingredients, ready), ...bodyHeaders(ready, encoding, body) };
    return { status: 200, headers, body };
  });
  return withNotice(ingredients, withNextLink(exchange, ready, answer));
}

function bodyHeaders(
  { body: { tag }, bodyHeaders: described }: ReadyAnswer,
  encoding: Encoding,
  bytes: Buffer,
): Headers {
  return {
    ...described,
    "Content-Length": String(bytes.byteLength),
    ...(encoding !== "identity" && { "Content-Encoding": encoding }),
    ...(tag !== undefined && { ETag: etagOf(tag, encoding) }),
  };
}

/**
 * Adds the address of the next page (RFC 8288). The address repeats the caller's query, so it is not cached with the
 * answer.
 */
function withNextLink({ search }: Exchange, { nextCursor }: ReadyAnswer, answer: Answer): Answer {
  if (nextCursor === undefined) return answer;
  const { status, headers, body } = answer;
  const query = new URLSearchParams(search);
  query.set("cursor", nextCursor);
  const next = `<?${query}>; rel="next"`;
  return {
    status,
    headers: { ...headers, Link: headers["Link"] === undefined ? next : `${next}, ${headers["Link"]}` },
    body,
  };
}

/**
 * Adds the notice about parts of the query that have no effect. It quotes the query, so it is not cached with the
 * answer.
 */
function withNotice({ question }: Ingredients, answer: Answer): Answer {
  const { notice } = question.query;
  if (notice === undefined) return answer;
  const { status, headers, body } = answer;
  return { status, headers: { ...headers, "X-Vigil-Notice": notice }, body };
}

interface NewAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer | undefined;
}

/**
 * The answer in this form (an encoding or, for a 304, an ETag), shared by all spellings of a query. The head of a
 * private answer does not depend on the time, so the answer is prepared once. A public answer gets a new head for each
 * call.
 */
function sharedAnswer(exchange: Exchange, { sent }: ReadyAnswer, form: string, make: () => NewAnswer): Answer {
  if (principalOf(exchange).kind === "anonymous") return make();
  // `exchange.cors` is the same object for all calls from one origin.
  let forms = sent.get(exchange.cors);
  if (!forms) {
    forms = new Map();
    sent.set(exchange.cors, forms);
  }
  let answer = forms.get(form);
  if (!answer) {
    const { status, headers, body } = make();
    answer = preparedAnswer(status, headers, body);
    forms.set(form, answer);
  }
  return answer;
}

/** The caller, who is always known after the credential step. */
function principalOf({ principal }: Exchange): Principal {
  return principal as Principal;
}

function dataHeaders(
  exchange: Exchange,
  ingredients: Ingredients,
  { hasMarker, cacheableUntil }: ReadyAnswer,
): Headers {
  const { question, snapshots, observations, now } = ingredients;
  const { operation } = question.registered;
  const reads = Object.values(snapshots);
  const observed = allOf(observations).map((observation) => ({ state: standingOf(observation) }));
  const state = worstState([...reads, ...observed]);
  const isDegraded = hasMarker || state !== "ok";
  const modifiedAt = lastModifiedAt(snapshots);
  const policy = cacheControl({
    tier: operation.cache,
    isPublic: principalOf(exchange).kind === "anonymous",
    isDegraded,
    validForMs: Math.min(nextBuildInMs(reads, now), cacheableUntil - now),
  });
  return {
    ...exchange.cors,
    Vary: "Accept, Accept-Encoding, Origin",
    "X-Vigil-State": state,
    "Cache-Control": policy,
    ...(reads.length > 0 && { "X-Vigil-Generation": generationsOf(question, snapshots) }),
    ...(modifiedAt !== undefined && { "Last-Modified": httpDateText(modifiedAt) }),
    ...pastHeaders(ingredients, principalOf(exchange), policy),
  };
}

/**
 * The snapshot state that an observation corresponds to. An upstream that failed or could not be called counts as
 * `absent`, an older answer as `stale`, and everything else as `ok`.
 */
function standingOf({ state }: Observed): "absent" | "stale" | "ok" {
  if (state === "error") return "absent";
  return state === "stale" ? "stale" : "ok";
}

function nextBuildInMs(snapshots: readonly Snapshot<unknown>[], now: number): number {
  const available = snapshots.filter((snapshot): snapshot is AvailableSnapshot<unknown> => snapshot.available);
  return Math.min(...available.map(({ nextBuildAt }) => (nextBuildAt ?? Number.POSITIVE_INFINITY) - now));
}
