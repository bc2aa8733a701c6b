import { contentTypeOf } from "../../contract/answer-format.js";
import { failure } from "../../contract/failures.js";
import type { FeedEntry, FeedFormat, FeedHead } from "../../contract/feed.js";
import type { AnyRowList } from "../../contract/row-list.js";
import type { SnapshotState } from "../../contract/snapshot.js";
import { visitSteps } from "../../kit/list-steps.js";
import { ClockPace, type LoopTurns, type Steps } from "../../kit/loop-turns.js";
import { BodyChunks } from "../body-chunks.js";
import { feedWritings } from "../feeds/feed-text.js";
import { wireName } from "../query.js";
import type { DescribedBody } from "./described-body.js";
import type { Question } from "./question.js";
import { listedRows } from "./served-rows.js";

/** The origin of a feed, and the state of its data. */
export interface FeedSituation {
  /** Origin at which callers reach this service. */
  readonly origin: string;
  readonly isSimulated: boolean;
  readonly state: SnapshotState;
  /** Build time of the newest content, epoch ms; the time of the answer if there is no content. */
  readonly updatedAt: number;
}

interface FeedAnswer {
  readonly format: FeedFormat;
  readonly question: Question;
  readonly value: unknown;
}

/**
 * Writes the rows of a list as a feed, newest first. A feed reader would take an empty feed to mean that there is no
 * news, so the call fails if there is no data: readers then keep the old feed and retry. A separate entry announces old
 * or incomplete data.
 */
export async function feedBody(
  { turns }: { readonly turns: LoopTurns },
  { format, question, value }: FeedAnswer,
  { situation, signal }: { readonly situation: FeedSituation; readonly signal: AbortSignal },
): Promise<DescribedBody> {
  const { rpc, list } = question.registered.operation;
  if (list?.feed === undefined) throw new Error(`${rpc} has feed formats but declares no feed`);
  if (situation.state === "absent" || situation.state === "unreadable") {
    throw failure("notReady", { reason: `There is no data for this feed now (${situation.state}); try again later` });
  }
  const entries = [...noteOf(question, situation), ...entriesOf(list, list.feed, value)];
  const pace = new ClockPace();
  const bytes = await turns.run(feedSteps(format, { question, situation, list, entries }, pace), pace, signal);
  return {
    bytes,
    headers: { "Content-Type": contentTypeOf(format), "X-Vigil-Rows": `count=${entries.length}` },
  };
}

/** The entries of the rows, newest first. Duplicates are dropped, because a row may be in several groups of a list. */
function entriesOf(list: AnyRowList, { entry }: NonNullable<AnyRowList["feed"]>, value: unknown): readonly FeedEntry[] {
  // The cast is safe, because the rows of an answer have the type that the operation declares.
  const entries = listedRows(list, value).map((row) => entry(row as never));
  return [...new Map(entries.map((own) => [own.id, own])).values()].toSorted((a, b) => b.at - a.at);
}

const NOTES: Partial<Readonly<Record<SnapshotState, readonly [title: string, text: string]>>> = {
  stale: [
    "These entries are not current",
    "The newest content could not be built in time. The other entries are older than usual.",
  ],
  partial: ["Entries may be missing", "Some sources could not be read."],
};

/** The entry that announces old or incomplete data, if any. Its id contains the state and the day of the content. */
function noteOf(question: Question, { state, updatedAt }: FeedSituation): readonly FeedEntry[] {
  const note = NOTES[state];
  if (note === undefined) return [];
  const [title, text] = note;
  const day = new Date(updatedAt).toISOString().slice(0, "yyyy-mm-dd".length);
  return [{ id: `${idOf(question)}:${state}:${day}`, title, text, link: "/docs/concepts#states", at: updatedAt }];
}

/** The id of a feed, made of the operation and its parameters. */
function idOf({ registered: { operation }, query: { canonical } }: Question): string {
  return `urn:vigil:list:${operation.rpc}${canonical === "" ? "" : `:${encodeURIComponent(canonical)}`}`;
}

interface FeedParts {
  readonly question: Question;
  readonly situation: FeedSituation;
  readonly list: AnyRowList;
  readonly entries: readonly FeedEntry[];
}

function* feedSteps(
  format: FeedFormat,
  { question, situation, list: { feed }, entries }: FeedParts,
  pace: ClockPace,
): Steps<Buffer> {
  const { origin, isSimulated, updatedAt } = situation;
  const head: FeedHead = {
    id: idOf(question),
    title: feed?.title ?? "",
    description: feed?.description ?? "",
    updatedAt,
    isSimulated,
  };
  const { ends, entry, between } = feedWritings[format];
  const [first, last] = ends(head, { origin, self: selfOf(question, format) });
  const body = new BodyChunks();
  body.add(first);
  yield* visitSteps(entries.entries(), pace, ([index, own]) => {
    body.add(`${index === 0 ? "" : between}${entry(head, own, origin)}`);
  });
  body.add(last);
  return body.joined();
}

/** The address of a feed, the same one for every spelling of its query. */
function selfOf({ registered: { path }, query: { canonical, frame } }: Question, format: FeedFormat): string {
  const address = new URLSearchParams();
  for (const [name, value] of new URLSearchParams(canonical)) address.append(wireName(name), value);
  if (frame.asOf !== undefined) address.append("as_of", String(frame.asOf));
  address.append("format", format);
  return `${path}?${address}`;
}
