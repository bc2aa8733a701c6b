import { systemClock } from "../../../src/kit/clock.js";
import { type Random, seededRandom } from "../../../src/kit/random.js";
import { type Reply, send } from "./calls.js";
import type { ChaosNode } from "./nodes.js";
import { type Oracle, ofKnownContent } from "./oracle.js";
import { count, countRead, noteWrong, type Report } from "./report.js";

export interface ReaderParts {
  readonly next: () => ChaosNode | undefined;
  readonly oracle: Oracle;
  readonly report: Report;
  /** Addresses of operations with example parameters. */
  readonly targets: readonly string[];
  /** The operator's key, which is valid even while the store is down, and keys of accounts. */
  readonly keys: () => readonly string[];
  readonly isOver: () => boolean;
  /** Mean pause between two reads. */
  readonly pauseMs: number;
}

const BATCH = "/api/batch/v1/execute";
const knownPaths = [...ofKnownContent];

/** Sends plain, conditional and batch reads until the run ends, and checks every answer. */
export async function keepReading(parts: ReaderParts, seed: number): Promise<void> {
  const random = seededRandom(seed);
  while (!parts.isOver()) {
    const node = parts.next();
    if (node !== undefined) {
      const keys = parts.keys();
      const headers = { "x-service-key": keys[Math.floor(random() * keys.length)] ?? "" };
      if (random() < 0.1) await readBatch(parts, node, headers, random);
      else await readOne(parts, node, headers, random);
    }
    await systemClock.sleep(parts.pauseMs * 2 * random());
  }
}

function targetOf({ targets }: ReaderParts, random: Random): string {
  const from = random() < 0.5 ? knownPaths : targets;
  return from[Math.floor(random() * from.length)] ?? knownPaths[0] ?? "";
}

async function readOne(
  parts: ReaderParts,
  node: ChaosNode,
  key: Readonly<Record<string, string>>,
  random: Random,
): Promise<void> {
  const { oracle, report } = parts;
  const target = targetOf(parts, random);
  const sentTag = random() < 0.3 ? oracle.tagOf(target) : undefined;
  const headers = sentTag === undefined ? key : { ...key, "if-none-match": sentTag };
  const reply = await send(node, target, headers);
  count(report, "reads");
  if (!isAnswered(report, reply, target)) return;
  if (reply.status === 304) count(report, "304s");
  oracle.check({
    node: node.name,
    target,
    status: reply.status ?? 0,
    headers: reply.headers,
    body: reply.body,
    sentTag,
  });
}

/**
 * Counts the read if the node ran throughout, unless it is a batch that is refused for lack of counters. Returns true
 * if the answer has the status 200 or 304 and can be checked.
 */
function isAnswered(report: Report, { isOfLiving, status, failure, headers, body }: Reply, target: string): boolean {
  // Under the contract, a call that has its own rate limit is refused while the counters are unavailable.
  if (target === BATCH && status === 503 && headers["x-ratelimit-mode"] === "degraded") {
    count(report, "batches refused without counters");
    return false;
  }
  const isGood = status === 200 || status === 304;
  const sentence = isGood ? undefined : status === undefined ? failure : `${status} ${body.slice(0, 120)}`;
  if (isOfLiving) countRead(report, sentence);
  // A call that fails because of the store is answered with 503. Any other error status is wrong at any time.
  if (!isGood && status !== undefined && status !== 503)
    noteWrong(report, `${target}: ${status} ${body.slice(0, 200)}`);
  return isGood;
}

interface BatchAnswer {
  readonly results: readonly { readonly status: number; readonly body: unknown }[];
}

/** Sends a batch of three reads. The first and the last read the same target, whose correct answer is known. */
async function readBatch(
  parts: ReaderParts,
  node: ChaosNode,
  key: Readonly<Record<string, string>>,
  random: Random,
): Promise<void> {
  const { report } = parts;
  const first = knownPaths[Math.floor(random() * knownPaths.length)] ?? "";
  const paths = [first, targetOf(parts, random), first];
  const reply = await send(node, BATCH, key, { operations: paths.map((path) => ({ path })) });
  count(report, "batches");
  if (!isAnswered(report, reply, BATCH)) return;
  const { results }: BatchAnswer = JSON.parse(reply.body);
  if (results.length !== paths.length) noteWrong(report, `a batch of 3 with ${results.length} results`);
  const [firstItem, , repeatedItem] = results;
  const isEqual = JSON.stringify(firstItem?.body) === JSON.stringify(repeatedItem?.body);
  // The second read may be answered from a newer generation than the first one. This happens in a third of the runs, so
  // a difference is only counted.
  if (firstItem?.status !== 200 || repeatedItem?.status !== 200) {
    noteWrong(report, `in a batch, ${first} was answered with ${firstItem?.status} and ${repeatedItem?.status}`);
  } else if (!isEqual) count(report, "batches across two generations");
}
