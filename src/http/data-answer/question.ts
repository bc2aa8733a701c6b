import { type AnswerFormat, furtherFormatsOf, isFeedFormat } from "../../contract/answer-format.js";
import { failure } from "../../contract/failures.js";
import type { RegisteredOperation } from "../../contract/operation.js";
import type { AnyDataset } from "../../contract/product.js";
import { quoted } from "../../contract/query-field.js";
import type { SinceGenerations } from "../../contract/since-generation.js";
import { spellingOf } from "../explained-query.js";
import type { Cursors, Position } from "../paging.js";
import type { ReadQuery } from "../query.js";

/** An operation with its parsed query: the whole content of a request target. */
export interface Question {
  readonly registered: RegisteredOperation;
  readonly query: ReadQuery;
  /** Cache key of the answer. It depends on the spelling of the query only if the answer is explained. */
  readonly key: string;
  readonly format: AnswerFormat;
  /** The formats that the answer can have. */
  readonly formats: Formats;
  /** The datasets that the answer reads, each with the operation's name for it. */
  readonly reads: readonly (readonly [name: string, dataset: AnyDataset])[];
  /** The datasets of `reads` that are built only on request. */
  readonly builtOnRequest: readonly AnyDataset[];
  /**
   * For each of `reads`, the generation after which changes are requested; undefined if the whole list is requested.
   */
  readonly since: readonly number[] | undefined;
  /** Start of the requested page; undefined for the first one. */
  readonly position: Position | undefined;
}

/** Formats, JSON first. */
type Formats = readonly ["json", ...AnswerFormat[]];

/**
 * Parses a request. Throws the 400 for a cursor of another list, for generations of other datasets, and for a format
 * that the answer cannot have.
 */
export function questionOf(cursors: Cursors, registered: RegisteredOperation, readQuery: ReadQuery): Question {
  const reads = readsOf(registered, readQuery);
  const since = sinceOf(reads, readQuery.frame.sinceGeneration);
  const query = since === undefined ? readQuery : withSince(readQuery, generationsText(reads, since));
  // Two spellings of a query have the same answer but different explanations, so an explained answer is cached by
  // spelling.
  const spelling = query.explained ? `\n${spellingOf(query.explained)}` : "";
  const question: Question = {
    registered,
    query,
    key: `${registered.path}?${query.canonical}\n${query.jmespath ?? ""}${spelling}`,
    format: "json",
    formats: formatsOf(registered, query),
    reads,
    builtOnRequest: reads.flatMap(([, dataset]) => (dataset.awakeForMs === undefined ? [] : [dataset])),
    since,
    position: cursors.read(registered, query),
  };
  const { format } = query.frame;
  if (format === undefined) return question;
  const available = question.formats.find((name) => name === format);
  if (available !== undefined) return inFormat(question, available);
  const ofOperation: readonly AnswerFormat[] = ["json", ...furtherFormatsOf(registered.operation)];
  const description = ofOperation.includes(format)
    ? partly(format)
    : `must be one of ${ofOperation.join(", ")} here: the rows ${LACKING[format] ?? ""}`;
  throw failure("validation", { violations: [{ field: "format", description }] });
}

/** The reason why a format of the operation is not available for this answer. */
function partly(format: AnswerFormat): string {
  return isFeedFormat(format)
    ? "must not be a feed format if jmespath, since_generation or explain is used: a feed has the whole list"
    : "must be json with explain=true, unless jmespath selects rows from the answer";
}

/** For each format that a list may lack, the reason as the end of a sentence about its rows. */
const LACKING: Partial<Readonly<Record<AnswerFormat, string>>> = {
  geojson: "have no coordinates",
  atom: "are not entries of a feed",
  jsonfeed: "are not entries of a feed",
};

const jsonAlone: Formats = ["json"];

/**
 * The formats of an answer. An explained list without a projection is JSON only, because row formats have no room for
 * the explanation. A feed always has the whole rows of the whole list, so it can be neither projected nor reduced to
 * changes.
 */
function formatsOf({ operation }: RegisteredOperation, { explained, jmespath, frame }: ReadQuery): Formats {
  if (explained && jmespath === undefined) return jsonAlone;
  const formats = furtherFormatsOf(operation);
  const isPart = jmespath !== undefined || frame.sinceGeneration !== undefined;
  return ["json", ...(isPart ? formats.filter((format) => !isFeedFormat(format)) : formats)];
}

/** The same question, to be answered in this format. */
export function inFormat(question: Question, format: AnswerFormat): Question {
  return format === question.format ? question : { ...question, format, key: `${format} ${question.key}` };
}

/** Adds the generations to the query's canonical text, in one form for all spellings. */
function withSince(query: ReadQuery, since: string): ReadQuery {
  const pair = `sinceGeneration=${encodeURIComponent(since)}`;
  return { ...query, canonical: query.canonical === "" ? pair : `${query.canonical}&${pair}` };
}

/** Writes the generation of each dataset in the form of `X-Vigil-Generation`, which is a structured dictionary. */
export function generationsText(reads: Question["reads"], generations: readonly number[]): string {
  return reads.map(([, { name }], index) => `${name}=${generations[index]}`).join(", ");
}

/**
 * The generation that `since` requests for each dataset. Throws the 400 unless `since` names exactly these datasets.
 */
function sinceOf(reads: Question["reads"], since: SinceGenerations | undefined): readonly number[] | undefined {
  if (since === undefined) return undefined;
  if (typeof since === "number" && reads.length === 1) return [since];
  const byName = typeof since === "number" ? new Map<string, number>() : since;
  const generations = reads.flatMap(([, { name }]) => byName.get(name) ?? []);
  if (generations.length === reads.length && byName.size === reads.length) return generations;
  const expected = reads.map(([, { name }]) => `${name}=<number>`).join(", ");
  const got = typeof since === "number" ? since : [...since.keys()].join(", ");
  const description = `must be ${expected}, got ${quoted(String(got))}`;
  throw failure("validation", { violations: [{ field: "sinceGeneration", description }] });
}

function readsOf({ operation }: RegisteredOperation, { values }: ReadQuery): Question["reads"] {
  const reads = operation.reads as Readonly<Record<string, AnyDataset>>;
  // The cast is safe, because the query was parsed with the fields of this operation.
  const names = operation.readsFor?.(values as never) ?? Object.keys(reads);
  return names.flatMap((name) => {
    const dataset = reads[name];
    return dataset ? [[name, dataset] as const] : [];
  });
}
