import { LRUCache } from "lru-cache";
import { type AnyDataset, withIngredients } from "../../contract/product.js";
import type { AvailableSnapshot, Snapshot } from "../../contract/snapshot.js";
import type { Clock } from "../../kit/clock.js";
import { MINUTE_MS } from "../../kit/clock.js";
import { entriesUpTo } from "../../kit/entries-up-to.js";
import type { SnapshotRegistry } from "../registry.js";
import { type Held, type Standing, standing } from "../standing.js";
import type { SnapshotStore } from "../store.js";
import type { RunAt } from "./run-history.js";

/** The snapshots of some datasets as they were at an instant. */
export interface PastSnapshots {
  /** In the order of the datasets. */
  readonly snapshots: readonly Snapshot<unknown>[];
  /** The datasets whose history around the instant is incomplete. */
  readonly gaps: readonly HistoryGap[];
}

/** A dataset whose snapshot may differ from what was served at the instant. */
export interface HistoryGap {
  readonly dataset: string;
  /**
   * `thinned`: runs between `at` and the instant may have been removed, so the state is the one at `at`. `unrecorded`:
   * the status of the run was not recorded or is damaged, so only the content is known.
   */
  readonly kind: "thinned" | "unrecorded";
  /** Time of the run that determines the snapshot, epoch ms. */
  readonly at: number;
}

/** Thrown if the history of a dataset does not reach back to an instant. */
export class HistoryGone extends Error {
  override readonly name = "HistoryGone";
  readonly dataset: string;
  /** Epoch ms. */
  readonly keptFrom: number;

  constructor(dataset: string, keptFrom: number) {
    super(`the history of ${dataset} begins at ${new Date(keptFrom).toISOString()}`);
    this.dataset = dataset;
    this.keptFrom = keptFrom;
  }
}

export interface Past {
  /**
   * The snapshots of datasets at an instant, epoch ms. Throws `HistoryGone` for an instant before the kept history.
   * Before a generation is read from the store, `onRead` is called. `onRead` may throw.
   */
  at(datasets: readonly AnyDataset[], at: number, onRead: () => void): Promise<PastSnapshots>;
  /** The snapshots that a caller who was paging through these generations would have received at `at`. */
  paged(
    datasets: readonly AnyDataset[],
    generations: readonly number[],
    at: number,
    onRead: () => void,
  ): Promise<PagedSnapshots>;
}

/** The snapshots of the generations that a cursor names, as they were at an instant. */
export interface PagedSnapshots extends Pick<PastSnapshots, "gaps"> {
  /** In the order of the datasets; undefined for a generation that is gone or newer than the instant. */
  readonly snapshots: readonly (AvailableSnapshot<unknown> | undefined)[];
}

/** Maximum number of remembered runs, a few hundred bytes each. */
const RUNS_REMEMBERED = 5_000;
/**
 * A run is remembered only this long, because retention and newly stored runs can change which run belongs to an
 * instant.
 */
const REMEMBERED_MS = MINUTE_MS;

export function pastSnapshots(
  store: Pick<SnapshotStore, "runAt">,
  registry: Pick<SnapshotRegistry, "loaded" | "at">,
  clock: Clock,
): Past {
  const runs = new LRUCache<string, { readonly run: Promise<RunAt>; readonly until: number }>(
    entriesUpTo(RUNS_REMEMBERED),
  );

  function runAt({ name }: AnyDataset, at: number): Promise<RunAt> {
    const key = `${name} ${at}`;
    const now = clock.now();
    const remembered = runs.get(key);
    if (remembered && now < remembered.until) return remembered.run;
    const run = store.runAt(name, at);
    // The run of a recent instant is not remembered, because a run that ended before that instant may not be stored
    // yet.
    if (at < now - REMEMBERED_MS) runs.set(key, { run, until: now + REMEMBERED_MS });
    run.catch(() => runs.delete(key));
    return run;
  }

  async function heldAt(dataset: AnyDataset, at: number, onRead: () => void): Promise<HeldAt> {
    const { run, isThinned, keptFrom } = await runAt(dataset, at);
    if (run === undefined) {
      if (isThinned && keptFrom !== undefined) throw new HistoryGone(dataset.name, keptFrom);
      return { held: { dataset, loaded: undefined, broken: undefined, status: undefined }, at, gap: undefined };
    }
    const { generation, status } = run;
    const loaded = generation === 0 ? undefined : await registry.loaded(dataset, generation, onRead);
    const isUnreadable = generation > 0 && loaded === undefined;
    const broken = isUnreadable
      ? { generation: { generation }, reason: `generation ${generation} is gone` }
      : undefined;
    const kind = isThinned ? "thinned" : status === undefined ? "unrecorded" : undefined;
    return {
      held: { dataset, loaded, broken, status },
      at: isThinned ? run.at : at,
      gap: kind && { dataset: dataset.name, kind, at: run.at },
    };
  }

  async function standingsAt(datasets: readonly AnyDataset[], at: number, onRead: () => void) {
    const all = withIngredients(datasets);
    const heldAtInstant = await Promise.all(all.map((dataset) => heldAt(dataset, at, onRead)));
    const heldOf = new Map(all.map((dataset, index) => [dataset, heldAtInstant[index] as HeldAt]));
    const standingOf = (dataset: AnyDataset): Standing => {
      const { held, at: ownAt } = heldOf.get(dataset) as HeldAt;
      return standing(held, ownAt, standingOf);
    };
    const gaps = heldAtInstant.flatMap(({ gap }) => gap ?? []);
    return { snapshots: datasets.map((dataset) => standingOf(dataset).snapshot), gaps };
  }

  return {
    at: standingsAt,
    async paged(datasets, generations, at, onRead) {
      const { snapshots, gaps } = await standingsAt(datasets, at, onRead);
      const pages = datasets.map(async (dataset, index) => {
        const newest = snapshots[index] as Snapshot<unknown>;
        const generation = generations[index] ?? 0;
        if (!newest.available || generation > newest.generation) return undefined;
        return registry.at(dataset, generation, { newest, onRead });
      });
      return { snapshots: await Promise.all(pages), gaps };
    },
  };
}

interface HeldAt {
  readonly held: Held;
  /** The instant to which `held` applies: the requested one or, if the history is thinned, the time of the run. */
  readonly at: number;
  readonly gap: HistoryGap | undefined;
}
