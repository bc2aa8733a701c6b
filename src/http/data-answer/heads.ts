import type { Principal } from "../../contract/access/principal.js";
import { cacheControl, worstState } from "../../contract/cache-policy.js";
import type { AvailableSnapshot, Snapshot } from "../../contract/snapshot.js";
import type { Exchange } from "../exchange.js";
import { type Encoding, etagOf, type Representation } from "../representation.js";
import { allOf, type Ingredients, lastModifiedAt, type Observed } from "./ingredients.js";
import type { Question } from "./question.js";
import type { ReadyAnswer } from "./ready-answer.js";

export type Head = Readonly<Record<string, string>>;

/** The heads that an answer was sent with: by the CORS headers among them, and by encoding or ETag. */
export type Heads = WeakMap<object, Map<string, Head>>;

export function noHeads(): Heads {
  return new WeakMap();
}

/** The head of a 304 to a caller that holds the answer with this ETag. */
export function notModifiedHead(exchange: Exchange, ingredients: Ingredients, ready: ReadyAnswer, etag: string): Head {
  return headWith(exchange, ingredients, ready, etag, () => ({ ETag: etag }));
}

/** The head of a whole answer, of these bytes in this encoding. */
export function wholeHead(
  exchange: Exchange,
  ingredients: Ingredients,
  ready: ReadyAnswer,
  encoding: Encoding,
  bytes: Buffer | string,
): Head {
  return headWith(exchange, ingredients, ready, encoding, () => bodyHeaders(ready.body, encoding, bytes));
}

function bodyHeaders({ tag }: Representation, encoding: Encoding, bytes: Buffer | string): Head {
  return {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": String(Buffer.byteLength(bytes)),
    ...(encoding !== "identity" && { "Content-Encoding": encoding }),
    ...(tag !== undefined && { ETag: etagOf(tag, encoding) }),
  };
}

/** A shared head with the notice of the query. Callers write endless notices, so none is kept with the answer. */
function headWith(
  exchange: Exchange,
  ingredients: Ingredients,
  ready: ReadyAnswer,
  form: string,
  formHeaders: () => Head,
): Head {
  const { notice } = ingredients.question.query;
  const head = sharedHead(exchange, ingredients, ready, form, formHeaders);
  return notice === undefined ? head : { ...head, "X-Vigil-Notice": notice };
}

/** Headers that are the same for all spellings of a query. No time changes those of private answers, so they are made once. */
function sharedHead(
  exchange: Exchange,
  ingredients: Ingredients,
  ready: ReadyAnswer,
  form: string,
  formHeaders: () => Head,
): Head {
  if (principalOf(exchange).kind === "anonymous") {
    return { ...dataHeaders(exchange, ingredients, ready), ...formHeaders() };
  }
  // One object per origin that is allowed.
  let forms = ready.heads.get(exchange.cors);
  if (!forms) {
    forms = new Map();
    ready.heads.set(exchange.cors, forms);
  }
  let head = forms.get(form);
  if (!head) {
    head = { ...dataHeaders(exchange, ingredients, ready), ...formHeaders() };
    forms.set(form, head);
  }
  return head;
}

/** The credential step ran before; only a bug could leave it out. */
function principalOf({ principal }: Exchange): Principal {
  return principal as Principal;
}

function dataHeaders(
  exchange: Exchange,
  { question, snapshots, observations, now }: Ingredients,
  { hasMarker }: ReadyAnswer,
): Head {
  const { operation } = question.registered;
  const reads = Object.values(snapshots);
  const states = operation.failsSoft ? softened(reads) : reads;
  const observed = allOf(observations).map((observation) => ({ state: standingOf(observation) }));
  const state = worstState([...states, ...observed]);
  const modifiedAt = lastModifiedAt(snapshots);
  return {
    ...exchange.cors,
    Vary: "Accept, Accept-Encoding, Origin",
    "X-Vigil-State": state,
    "Cache-Control": cacheControl({
      tier: operation.cache,
      isPublic: principalOf(exchange).kind === "anonymous",
      isDegraded: hasMarker || state !== "ok",
      nextBuildInMs: nextBuildInMs(reads, now),
    }),
    ...(reads.length > 0 && { "X-Vigil-Generation": generationsOf(question, snapshots) }),
    ...(modifiedAt !== undefined && { "Last-Modified": new Date(modifiedAt).toUTCString() }),
  };
}

/** Where some snapshots are there, the missing ones make the answer partial; where none is, they say why. */
function softened(snapshots: readonly Snapshot<unknown>[]): readonly Pick<Snapshot<unknown>, "state">[] {
  if (!snapshots.some(({ available }) => available)) return snapshots;
  return snapshots.map(({ available, state }) => ({ state: available ? state : "partial" }));
}

/** An upstream that could not be asked is like a snapshot that is not there; an older answer may stand in. */
function standingOf({ state }: Observed): "absent" | "stale" | "ok" {
  if (state === "error") return "absent";
  return state === "stale" ? "stale" : "ok";
}

/** A structured dictionary with one entry per dataset read; 0 where there is no generation to serve. */
function generationsOf({ reads }: Question, snapshots: Ingredients["snapshots"]): string {
  return reads
    .map(([name, dataset]) => {
      const snapshot = snapshots[name];
      return `${dataset.name}=${snapshot?.available ? snapshot.generation : 0}`;
    })
    .join(", ");
}

function nextBuildInMs(snapshots: readonly Snapshot<unknown>[], now: number): number {
  const available = snapshots.filter((snapshot): snapshot is AvailableSnapshot<unknown> => snapshot.available);
  return Math.min(...available.map(({ nextBuildAt }) => (nextBuildAt ?? Number.POSITIVE_INFINITY) - now));
}
