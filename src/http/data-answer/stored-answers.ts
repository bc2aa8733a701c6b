import { entitlementFailure } from "../../access/entitlement.js";
import { lacksPast } from "../../contract/as-of.js";
import { Failure, failure, type Violation } from "../../contract/failures.js";
import { frameParameters } from "../../contract/frame-parameters.js";
import type { AnyOperation, RegisteredOperation } from "../../contract/operation.js";
import type { Page, Rows } from "../../contract/paging.js";
import { type AnyDataset, withIngredients } from "../../contract/product.js";
import { identityIn, rowsIn, withRows } from "../../contract/row-list.js";
import { silentTally } from "../../contract/row-tally.js";
import type { Snapshot } from "../../contract/snapshot.js";
import type {
  AnswerSource,
  DatasetAt,
  StoredAnswers,
  StoredQuestion,
  StoredRows,
} from "../../contract/stored-answers.js";
import type { Clock } from "../../kit/clock.js";
import { numberedKeys } from "../../kit/list-difference.js";
import { ClockPace, type LoopTurns, type Steps } from "../../kit/loop-turns.js";
import type { RevisionReader } from "../../snapshots/history/revision-reader.js";
import { publishedSnapshot, type SnapshotRegistry } from "../../snapshots/registry.js";
import { type Cursors, isPaged } from "../paging.js";
import { readQuery, wireName } from "../query.js";
import { type Ingredients, noObservations, nothingServed } from "./ingredients.js";
import { type Question, questionOf } from "./question.js";
import { withRevisions } from "./revisions.js";
import { type RunParts, runOperation } from "./run-operation.js";
import { type SharedAnswer, sharedAnswers } from "./shared-answers.js";

export interface StoredAnswerParts extends RunParts, Pick<StoredAnswers, "refusal" | "evaluate"> {
  readonly operations: readonly RegisteredOperation[];
  readonly registry: Pick<SnapshotRegistry, "loaded">;
  readonly revisions: RevisionReader;
  readonly cursors: Cursors;
  readonly turns: LoopTurns;
  readonly clock: Clock;
  /** Maximum estimated memory of the answers that equal calls share, bytes. */
  readonly sharedBytesMax: number;
}

/** Runs operations over stored generations for parts of the service that work without a request. */
export function storedAnswers(parts: StoredAnswerParts): StoredAnswers {
  const byPath = new Map(parts.operations.map((registered) => [registered.path, registered]));
  const parsed = new WeakMap<StoredQuestion, Question>();
  const shared = sharedAnswers(parts.sharedBytesMax);

  function open(call: string): StoredQuestion {
    const [path = "", search = ""] = splitAt(call, "?");
    const registered = byPath.get(path);
    if (registered === undefined)
      throw refused(`must be the path and query of an operation, got no operation at ${path}`);
    const { operation } = registered;
    const reason = refusalOf(registered, search);
    if (reason !== undefined) throw refused(reason);
    const question = questionOf(parts.cursors, registered, readOwnQuery(operation, search, parts.clock.now()));
    const datasets = question.reads.map(([, dataset]) => dataset);
    const stored: StoredQuestion = {
      call,
      key: question.key,
      path,
      tier: operation.tier ?? 0,
      datasets: datasets.map(({ name }) => name),
      isList: operation.list !== undefined,
      dependsOnTime: operation.validUntil !== undefined,
      sources: sourcesBehind(datasets),
    };
    parsed.set(stored, question);
    return stored;
  }

  /** The ingredients of the answer; undefined if a generation is gone. */
  async function ingredientsAt(
    question: Question,
    standings: readonly DatasetAt[],
    now: number,
    onRead?: () => void,
  ): Promise<Ingredients | undefined> {
    const snapshots: Record<string, Snapshot<unknown>> = {};
    for (const [name, dataset] of question.reads) {
      const standing = standings.find((candidate) => candidate.dataset === dataset.name);
      const snapshot = await snapshotAt(dataset, standing, onRead);
      if (snapshot === undefined) return undefined;
      snapshots[name] = snapshot;
    }
    return withRevisions(parts.revisions, { question, snapshots, observations: noObservations, now });
  }

  async function snapshotAt(
    dataset: AnyDataset,
    standing: DatasetAt | undefined,
    onRead?: () => void,
  ): Promise<Snapshot<unknown> | undefined> {
    const { generation = null, state = "absent" } = standing ?? {};
    if (generation === null || state === "absent" || state === "unreadable") {
      return nothingServed(state === "unreadable" ? state : "absent");
    }
    const loaded = await parts.registry.loaded(dataset, generation, onRead);
    return loaded && publishedSnapshot(loaded, state);
  }

  return {
    refusal: parts.refusal,
    evaluate: parts.evaluate,
    ask(call, caller) {
      const stored = open(call);
      if (!caller.scopes.has("read")) throw failure("scopeMissing", { scope: "read" });
      const failed = entitlementFailure(caller, stored.tier);
      if (failed) throw failed;
      return stored;
    },
    reopen(call) {
      try {
        return open(call);
      } catch (error) {
        if (error instanceof Failure && error.failure === "validation") return undefined;
        throw error;
      }
    },
    async answer(stored, standings, now, onRead) {
      const question = parsed.get(stored);
      if (question === undefined) throw new Error(`${stored.call} was not opened here`);
      const key = answerKey(question, standings, now);
      const cachedAnswer = shared.get(key);
      if (cachedAnswer) return { question: stored, ...cachedAnswer };
      const ingredients = await ingredientsAt(question, standings, now, onRead);
      if (ingredients === undefined) return undefined;
      const answer = answerOf(parts, ingredients);
      shared.keep(key, answer, question.registered.operation.list);
      return { question: stored, ...answer };
    },
  };
}

/**
 * The cache key of an answer: equal keys mean equal answers. The key contains the time only for operations whose
 * answers depend on it.
 */
function answerKey({ key, reads, registered }: Question, standings: readonly DatasetAt[], now: number): string {
  const read = reads.map(([, { name }]) => standings.find(({ dataset }) => dataset === name));
  const contents = read.map((standing) => `${standing?.generation} ${standing?.state}`);
  return `${key}\n${contents.join()}\n${registered.operation.validUntil ? now : ""}`;
}

function answerOf(parts: StoredAnswerParts, ingredients: Ingredients): SharedAnswer {
  const { path, operation } = ingredients.question.registered;
  const { list } = operation;
  const value = runOperation(parts, ingredients, { paginate: onOnePage, tally: silentTally });
  let rows: Promise<StoredRows> | undefined;
  return {
    value,
    async rows() {
      if (list === undefined) return undefined;
      const pace = new ClockPace();
      rows ??= Promise.resolve(
        parts.turns.run(
          identified(rowsIn(list, value), (row) => identityIn(list, row), pace),
          pace,
        ),
      );
      return rows;
    },
    withRows(own) {
      if (list === undefined) throw new Error(`${path} has no list`);
      return withRows(list, value, own);
    },
  };
}

function onOnePage<T>(rows: Rows<T>): Page<T> {
  return { rows: rows.slice(0, rows.length), pagination: { nextCursor: "", totalCount: rows.length } };
}

function* identified(rows: readonly unknown[], identity: (row: unknown) => string, pace: ClockPace): Steps<StoredRows> {
  const { keys, repeatCount } = yield* numberedKeys(rows.length, (index) => identity(rows[index]), pace);
  return { rows: rows.map((row, index) => ({ id: keys[index] as string, row })), collisions: repeatCount };
}

/** The reason to refuse a call regardless of the values of its parameters; undefined if there is none. */
function refusalOf(registered: RegisteredOperation, search: string): string | undefined {
  const { operation, path } = registered;
  const lacking = lacksPast(operation);
  if (lacking !== undefined)
    return `must be answered from stored data; ${path} reads its upstreams at the time of the request`;
  if (operation.dailyQuota) return `must not be ${path}, which has a daily quota`;
  const sent = [...new URLSearchParams(search).keys()];
  const whole = isPaged(registered) ? ["cursor", "page_size"] : [];
  const ofRequests = ["jmespath", ...frameParameters.map(([name]) => wireName(name)), ...whole];
  const needless = sent.find((name) => ofRequests.includes(name) || ofRequests.includes(wireName(name)));
  return needless === undefined
    ? undefined
    : `must not have ${needless}, because the whole answer is read whenever its data changes`;
}

/** Parses the query of a call. Throws a 400 that names the field `call`, also for parameters without an effect. */
function readOwnQuery(operation: AnyOperation, search: string, now: number): ReturnType<typeof readQuery> {
  let query: ReturnType<typeof readQuery>;
  try {
    query = readQuery(operation, search, now);
  } catch (error) {
    if (!(error instanceof Failure) || error.failure !== "validation") throw error;
    // The body of this failure lists the violations.
    const { violations } = error.body as { readonly violations: readonly Violation[] };
    throw refused(violations.map(({ field, description }) => `${wireName(field)} ${description}`).join("; "));
  }
  if (query.notice !== undefined) throw refused(`must not have parameters without an effect: ${query.notice}`);
  return query;
}

function refused(description: string): Failure {
  return failure("validation", { violations: [{ field: "call", description }] });
}

/** The text before and after the first separator. */
function splitAt(text: string, separator: string): readonly string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

/** The sources of datasets and of everything that they are built from. */
function sourcesBehind(datasets: readonly AnyDataset[]): readonly AnswerSource[] {
  const sources = withIngredients(datasets)
    .flatMap((dataset) => (dataset.kind === "collection" ? Object.values(dataset.parts) : []))
    .flatMap((part) => part.sources);
  const byId = new Map(sources.map((source) => [source.id, source]));
  return [...byId.values()].map(({ title, home, licence }) => ({ name: title, url: home, licence: licence.name }));
}
