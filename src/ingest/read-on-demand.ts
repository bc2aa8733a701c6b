import { BudgetSpent, type Budgets } from "../contract/budget.js";
import { type AnyOnDemand, type Observation, sourcesOf } from "../contract/on-demand.js";
import { type AnySource, SourceFailure } from "../contract/source.js";
import type { Clock } from "../kit/clock.js";
import type { UpstreamClient } from "../upstream/answer.js";
import { createOnDemandReader } from "../upstream/on-demand.js";
import { type ReadingTools, readSource } from "./read-source.js";

export interface OnDemandParts {
  readonly reading: ReadingTools;
  readonly clock: Clock;
  readonly budgets: Budgets;
  /** Told of every read that failed and every source that was passed over, for the log. */
  readonly onFailure: (key: string, cause: unknown) => void;
}

/** How the newest read of one name went that asked an upstream. */
export interface OnDemandOutcome {
  readonly name: string;
  readonly sources: readonly string[];
  /** Epoch ms. */
  readonly at: number;
  readonly state: "ok" | "stale" | "failed";
  /** Null unless it failed and nothing stood in. */
  readonly error: string | null;
  /** Why other sources of the newest read failed, whether or not one answered. */
  readonly passedOver: readonly string[];
}

export interface ReadingOnDemand {
  read(read: AnyOnDemand<never>, plan: unknown): Promise<Observation<readonly unknown[]>>;
  /** The newest outcome of every read since the start, by name. */
  outcomes(): readonly OnDemandOutcome[];
}

/** Reads sources at request time, through one cache for everybody. */
export function readingOnDemand({ reading, clock, budgets, onFailure }: OnDemandParts): ReadingOnDemand {
  const reader = createOnDemandReader({ clock, onFailure });
  const newest = new Map<string, Omit<OnDemandOutcome, "passedOver">>();
  const passedOver = new Map<string, readonly string[]>();

  function observe(read: AnyOnDemand<never>, plan: unknown): Promise<Observation<readonly unknown[]>> {
    const key = `${read.name} ${JSON.stringify(plan)}`;
    const client = read.budgets ? budgeted(reading.client, budgets, read.budgets) : reading.client;
    return reader.read(key, read, async (signal) => {
      const tools = { ...reading, client };
      const failed: SourceFailure[] = [];
      let cause: unknown;
      try {
        return await firstRecords(sourcesOf(read), plan, signal, failed, async (source) => {
          const question = { part: read.name, source, plan, signal };
          return (await readSource(tools, question)).records;
        });
      } catch (error) {
        cause = error;
        throw error;
      } finally {
        const others = failed.filter((failure) => failure !== cause);
        for (const other of others) onFailure(key, other);
        const sentences = others.map(({ message }) => message);
        passedOver.set(read.name, sentences);
      }
    });
  }

  return {
    async read(read, plan) {
      const observation = await observe(read, plan);
      const outcome = outcomeOf(read, observation, clock.now());
      if (outcome) newest.set(read.name, outcome);
      return observation;
    },
    outcomes: () =>
      [...newest.values()]
        .map((outcome) => ({ ...outcome, passedOver: passedOver.get(outcome.name) ?? [] }))
        .toSorted((a, b) => a.name.localeCompare(b.name)),
  };
}

/** Undefined where no upstream was asked. */
function outcomeOf(
  read: AnyOnDemand<never>,
  seen: Observation<unknown>,
  now: number,
): Omit<OnDemandOutcome, "passedOver"> | undefined {
  const about = { name: read.name, sources: sourcesOf(read).map(({ id }) => id) };
  switch (seen.state) {
    case "fresh":
    case "miss":
      return { ...about, at: seen.fetchedAt, state: "ok", error: null };
    case "stale":
      return { ...about, at: now, state: "stale", error: null };
    case "error":
      return { ...about, at: seen.fetchedAt, state: "failed", error: seen.error };
    case "cached":
    case "not-asked":
      return undefined;
  }
}

type Records = readonly unknown[];

/**
 * The records of the first source that gives some; undefined where the first that could be asked has none. Throws what it
 * failed with, and "unconfigured" where none could be asked. Every failure of one that was asked is put into `failed`.
 */
async function firstRecords(
  sources: readonly AnySource[],
  plan: unknown,
  signal: AbortSignal,
  failed: SourceFailure[],
  read: (source: AnySource) => Promise<Records>,
): Promise<Records | undefined> {
  let first: Records | SourceFailure | undefined;
  let unasked: SourceFailure | undefined;
  for (const source of sources.filter(({ answers }) => answers?.(plan) !== false)) {
    const found = await recordsOrFailure(source, read);
    if (signal.aborted) throw signal.reason;
    if (found instanceof SourceFailure && found.kind === "unconfigured") {
      unasked ??= found;
      continue;
    }
    if (found instanceof SourceFailure) failed.push(found);
    else if (found.length > 0) return found;
    first ??= found;
  }
  if (first === undefined) throw unasked ?? new SourceFailure("unconfigured", "no source can be asked for this");
  if (first instanceof SourceFailure) throw first;
  return undefined;
}

async function recordsOrFailure(
  source: AnySource,
  read: (source: AnySource) => Promise<Records>,
): Promise<Records | SourceFailure> {
  try {
    return await read(source);
  } catch (error) {
    if (!(error instanceof SourceFailure)) throw error;
    const isNothing = error.status !== undefined && source.missStatuses?.includes(error.status) === true;
    return isNothing ? [] : error;
  }
}

/** The client with one unit of each budget taken before every call. */
function budgeted(client: UpstreamClient, budgets: Budgets, names: readonly string[]): UpstreamClient {
  return {
    ...client,
    async fetch(request, call) {
      const spent = await budgets.take(names);
      if (spent !== undefined) throw new BudgetSpent(spent);
      return client.fetch(request, call);
    },
  };
}
