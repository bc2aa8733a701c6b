import { lacksPast } from "../../src/contract/as-of.js";
import { lacksExplanation } from "../../src/contract/explanation.js";
import type { RegisteredOperation } from "../../src/contract/operation.js";
import type { IdentifiedAnswer } from "../../src/http/exchange.js";
import { DAY_MS, HOUR_MS } from "../../src/kit/clock.js";
import type { Random } from "../../src/kit/random.js";
import type { Fault } from "../../src/simulator/faults.js";
import type { Stack } from "./stack.js";

/** An answer as it was served. */
export interface RecordedRead {
  readonly target: string;
  readonly at: number;
  readonly answer: ServedAnswer;
}

/** The parts of an answer that must be the same when it is read again with `as_of`. */
interface ServedAnswer {
  readonly status: number;
  readonly state: string | undefined;
  readonly generation: string | undefined;
  readonly etag: string | undefined;
  readonly body: string;
}

const projections = ["keys(@)", "@", "values(@)[0]"] as const;
const faults: readonly Fault[] = [
  { kind: "down" },
  { kind: "status", code: 503 },
  { kind: "empty" },
  { kind: "changed" },
  { kind: "bad-row" },
];

interface Walk {
  readonly random: Random;
  /** Number of days of simulated time. */
  readonly days: number;
  readonly reads: number;
}

/**
 * Lets `days` pass in steps of a few hours. In each step some upstreams fail or recover, some datasets are built, and
 * random operations are read. Returns the reads.
 */
export async function readAlongTheWay(stack: Stack, { random, days, reads }: Walk): Promise<readonly RecordedRead[]> {
  const recorded: RecordedRead[] = [];
  const operations = pastOperations(stack);
  const datasets = stack.services.datasets.filter(({ awakeForMs }) => awakeForMs === undefined);
  const ofManyParts = datasets.filter(({ parts }) => Object.keys(parts).length > 1);
  const stepMs = 6 * HOUR_MS;
  const steps = Math.ceil((days * DAY_MS) / stepMs);
  const perStep = Math.ceil(reads / steps);
  for (let step = 0; step < steps; step += 1) {
    stack.clock.advance(Math.floor(stepMs * (0.5 + random())));
    if (random() < 0.3) stack.simulator.faults.clear();
    const upstream = pick(random, [...requestedHosts(stack), "*"]);
    if (random() < 0.8) stack.simulator.faults.set({ upstream }, pick(random, faults));
    for (let builds = Math.floor(random() * 5); builds > 0; builds -= 1) {
      await stack.runAlone(pick(random, random() < 0.5 ? ofManyParts : datasets).name);
    }
    for (let read = 0; read < perStep && recorded.length < reads; read += 1) {
      recorded.push(...(await readOnce(stack, pick(random, operations), random)));
    }
  }
  stack.simulator.faults.clear();
  return recorded;
}

/** The hosts of the latest requests. */
function requestedHosts({ simulator }: Stack): readonly string[] {
  return [...new Set(simulator.requests.list().map(({ url }) => new URL(url).host))];
}

/**
 * The operations that take `as_of` and whose datasets the stack has. Operations whose datasets are all built on request
 * are left out, because a read would build them.
 */
function pastOperations(stack: Stack): readonly RegisteredOperation[] {
  return stack.services.operations.filter(
    ({ operation }) =>
      lacksPast(operation) === undefined &&
      Object.values(operation.reads).some((dataset) => dataset.awakeForMs === undefined) &&
      Object.values(operation.reads).every(({ name }) => stack.services.allDatasets.some((own) => own.name === name)),
  );
}

/** Reads an operation once and, if there is a next page, also that page. */
async function readOnce(
  stack: Stack,
  { path, operation }: RegisteredOperation,
  random: Random,
): Promise<readonly RecordedRead[]> {
  const query = new URLSearchParams(pick(random, [{}, ...operation.examples]));
  const isPaged = "pageSize" in operation.query;
  if (isPaged) query.set("page_size", String(1 + Math.floor(random() * 20)));
  if (lacksExplanation(operation) === undefined && random() < 0.3) query.set("explain", "true");
  const isProjected = random() < 0.3;
  if (isProjected && !query.has("jmespath")) query.set("jmespath", pick(random, projections));
  const first = await recordedRead(stack, `${path}?${query}`);
  const next = isPaged && !query.has("jmespath") ? cursorIn(first.answer.body) : "";
  if (next === "") return [first];
  query.set("cursor", next);
  return [first, await recordedRead(stack, `${path}?${query}`)];
}

function cursorIn(body: string): string {
  const { pagination } = JSON.parse(body) as { readonly pagination?: { readonly nextCursor?: string } };
  return pagination?.nextCursor ?? "";
}

async function recordedRead(stack: Stack, target: string): Promise<RecordedRead> {
  return { target, at: stack.clock.now(), answer: shownIn(await stack.get(target)) };
}

function shownIn(answer: IdentifiedAnswer): ServedAnswer {
  return {
    status: answer.status,
    state: answer.headers["X-Vigil-State"],
    generation: answer.headers["X-Vigil-Generation"],
    etag: answer.headers["ETag"],
    body: String(answer.body),
  };
}

/** The result of repeating recorded reads with `as_of` and comparing the new answers with the recorded ones. */
export interface Comparison {
  readonly equal: number;
  /** Number of reads whose history has since been thinned, and whose answers say so. */
  readonly thinned: number;
  /** Number of reads whose history has since been removed. */
  readonly gone: number;
  readonly differences: readonly string[];
}

export async function compareWithPast(stack: Stack, reads: readonly RecordedRead[]): Promise<Comparison> {
  const counts = { equal: 0, thinned: 0, gone: 0 };
  const differences: string[] = [];
  for (const { target, at, answer } of reads) {
    const then = `${target}${target.endsWith("?") ? "" : "&"}as_of=${at}`;
    const past = await stack.get(then);
    if (past.status === 410 || hasLostCursor(past)) counts.gone += 1;
    else if (past.headers["X-Vigil-History"] !== undefined) counts.thinned += 1;
    else {
      const different = differencesOf(answer, shownIn(past));
      if (different.length === 0) counts.equal += 1;
      else differences.push(`${then}: ${different.join("; ")}`);
    }
  }
  return { ...counts, differences };
}

/** True if the cursor of a page was refused because its generation has since been removed. */
function hasLostCursor({ status, body }: IdentifiedAnswer): boolean {
  return status === 400 && String(body).includes("a generation that no longer exists; omit the cursor to start again");
}

function differencesOf(served: ServedAnswer, replayed: ServedAnswer): readonly string[] {
  const members = ["status", "state", "generation", "etag", "body"] as const;
  return members.flatMap((member) =>
    served[member] === replayed[member] ? [] : [`${member}: ${cut(served[member])} became ${cut(replayed[member])}`],
  );
}

function cut(value: unknown): string {
  return String(value).slice(0, 200);
}

function pick<T>(random: Random, choices: readonly T[]): T {
  return choices[Math.floor(random() * choices.length)] as T;
}
