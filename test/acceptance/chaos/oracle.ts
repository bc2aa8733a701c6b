import { createHash } from "node:crypto";
import { search } from "jmespath";
import { earthquakesIn, pricesIn } from "./editions.js";
import { noteWrong, type Report } from "./report.js";

/** An answer of a node to a read. */
export interface ReadAnswer {
  readonly node: string;
  readonly target: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
  /** The tag in the request's If-None-Match; undefined if the request was not conditional. */
  readonly sentTag: string | undefined;
}

/** Checks answers against documents of known content, against each other and against the rules for caches. */
export interface Oracle {
  check(answer: ReadAnswer): void;
  /** The ETag of the last answer to this target from any node. */
  tagOf(target: string): string | undefined;
}

export const PRICES = "/api/economic/v1/get-us-cpi-monthly";
export const QUAKES = "/api/seismology/v1/list-earthquakes?page_size=500";
const PROJECTION = "months[-12:].headline.index";
const PROJECTED = `${PRICES}?history=true&jmespath=${encodeURIComponent(PROJECTION)}`;

export const WHOLE = `${PRICES}?history=true`;
/** The targets whose correct answers are known. */
export const ofKnownContent: ReadonlySet<string> = new Set([PRICES, QUAKES, WHOLE, PROJECTED]);

/** Maximum number of entries in each of the maps `bodies` and `ofGenerations`. */
const REMEMBERED_MAX = 200_000;
/** Maximum number of remembered whole answers, with which projections are compared. */
const WHOLES_MAX = 5;

const digestOf = (body: string): string => createHash("sha256").update(body).digest("base64");

export function createOracle(report: Report, newestEdition: () => number, newestAt: number): Oracle {
  const bodies = new Map<string, string>();
  const tags = new Map<string, string>();
  const ofGenerations = new Map<string, string>();
  const wholes = new Map<string, string>();
  /** For each document, the generations in which it was seen, and the edition that each generation shows. */
  const editions = new Map<string, { readonly generation: number; readonly edition: number }[]>();

  function wrong(answer: ReadAnswer, sentence: string): void {
    noteWrong(report, `${answer.node} ${answer.target}: ${sentence} (${headersOf(answer)})`);
  }

  /**
   * Checks that no cache may store a degraded answer, and that no 304 has the state `absent` or `unreadable`
   * (docs/decisions/0002).
   */
  function checkCaching(answer: ReadAnswer, state: string): void {
    const control = answer.headers["cache-control"] ?? "";
    if (state !== "ok" && control !== "no-store") wrong(answer, `${state}, with Cache-Control: ${control}`);
    if (["absent", "unreadable"].includes(state) && answer.status === 304) wrong(answer, `a 304 in the state ${state}`);
  }

  /** Checks that a tag always identifies the same body of a target, on every node and after every restart. */
  function checkTag(answer: ReadAnswer, tag: string): void {
    remember(bodies, answer, tag, `a different body than before with ${tag}`);
    tags.set(answer.target, tag);
  }

  function remember(seen: Map<string, string>, answer: ReadAnswer, name: string, sentence: string): void {
    const key = `${answer.target} ${name}`;
    const digest = digestOf(answer.body);
    const earlier = seen.get(key);
    if (earlier === undefined && seen.size < REMEMBERED_MAX) seen.set(key, digest);
    else if (earlier !== undefined && earlier !== digest) wrong(answer, `${sentence}: ${answer.body.slice(0, 300)}`);
  }

  function keepWhole({ target, body }: ReadAnswer, generation: string): void {
    if (target !== WHOLE) return;
    wholes.set(generation, body);
    const [oldest] = wholes.keys();
    if (wholes.size > WHOLES_MAX && oldest !== undefined) wholes.delete(oldest);
  }

  /** Checks that a later generation never shows an earlier edition. */
  function checkOrder(answer: ReadAnswer, document: string, generation: number, edition: number): void {
    const seen = editions.get(document) ?? [];
    editions.set(document, seen);
    const conflict = seen.find(
      (other) =>
        (other.generation < generation && other.edition > edition) ||
        (other.generation > generation && other.edition < edition),
    );
    if (conflict) {
      const other = `generation ${conflict.generation} shows edition ${conflict.edition}`;
      wrong(answer, `generation ${generation} shows edition ${edition}, but ${other}`);
    } else if (!seen.some((other) => other.generation === generation)) seen.push({ generation, edition });
  }

  function checkContent(answer: ReadAnswer, generation: string): void {
    const { target, body } = answer;
    if (target === QUAKES) {
      const edition = earthquakesIn(body, newestEdition(), newestAt);
      if (typeof edition === "string") wrong(answer, edition);
      else checkOrder(answer, "earthquakes", numberIn(generation), edition);
    } else if (target === PRICES || target === WHOLE) {
      const shown = pricesIn(body, target !== PRICES, newestEdition());
      if (typeof shown === "string") wrong(answer, shown);
      else for (const [part, edition] of Object.entries(shown)) checkOrder(answer, part, numberIn(generation), edition);
    } else if (target === PROJECTED) {
      const whole = wholes.get(generation);
      if (whole !== undefined && JSON.stringify(search(JSON.parse(whole), PROJECTION)) !== body)
        wrong(answer, `is not the projection of the whole answer: ${body.slice(0, 200)}`);
    }
  }

  return {
    tagOf: (target) => tags.get(target),
    check(answer) {
      const { target, status, headers, sentTag } = answer;
      const state = headers["x-vigil-state"];
      const generation = headers["x-vigil-generation"];
      if (state === undefined) {
        wrong(answer, `${status} without a state`);
        return;
      }
      checkCaching(answer, state);
      const tag = headers["etag"];
      if (status === 304) {
        if (sentTag === undefined || tag !== sentTag) wrong(answer, `a 304 to a request with the tag ${sentTag}`);
        return;
      }
      if (tag !== undefined) checkTag(answer, tag);
      if (state === "absent" || state === "unreadable" || generation === undefined) return;
      checkContent(answer, generation);
      keepWhole(answer, generation);
      if (ofKnownContent.has(target) && state === "ok")
        remember(ofGenerations, answer, generation, `a different body than before for ${generation}`);
    },
  };
}

function numberIn(generation: string): number {
  return Number(/=(\d+)/.exec(generation)?.[1]);
}

function headersOf({ status, headers }: ReadAnswer): string {
  const names = ["x-vigil-state", "x-vigil-generation", "etag", "cache-control"];
  return `${status} ${names.map((name) => `${name}: ${headers[name]}`).join(", ")}`;
}
