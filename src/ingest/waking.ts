import { WAKING_MS_MAX } from "../contract/answer-time.js";
import type { AnyDataset } from "../contract/dataset.js";
import { type Clock, isWithin, MINUTE_MS } from "../kit/clock.js";
import type { AskedBoard } from "../snapshots/asked-board.js";
import type { SnapshotRegistry } from "../snapshots/registry.js";

export interface WakingParts {
  readonly asked: AskedBoard;
  readonly registry: SnapshotRegistry;
  readonly clock: Clock;
  /** Tells whoever builds that a dataset is awake. */
  readonly tell: (dataset: AnyDataset, askedAt: number) => void;
  /** False while nobody builds, so that there is nothing to wait for. */
  readonly isBuilding: () => boolean;
  readonly onFault: (error: unknown) => void;
}

/**
 * Notes that a request reads a dataset that is built only while somebody asks for it. Undefined where that changes
 * nothing; else what the request waits for: the build that it started, or as long as an answer may take.
 */
export type Awaken = (dataset: AnyDataset) => Promise<void> | undefined;

/** Requests that wait at once; one more is answered with what there is. */
const WAITING_MAX = 200;
/** For how long nobody waits for a dataset whose build was waited for in vain. */
const IMPATIENT_MS = 2 * MINUTE_MS;

export function createAwaken({ asked, registry, clock, tell, isBuilding, onFault }: WakingParts): Awaken {
  const waits = new Map<string, Promise<void>>();
  const impatientSince = new Map<string, number>();
  let waiting = 0;

  /** True when a run has ended since it woke. */
  function isTried(dataset: AnyDataset): boolean {
    const attemptedAt = registry.status(dataset)?.attemptedAt;
    return attemptedAt !== undefined && attemptedAt >= (asked.awakeSince(dataset) ?? Number.POSITIVE_INFINITY);
  }

  async function untilBuilt(dataset: AnyDataset): Promise<void> {
    const over = new AbortController();
    let isLate = false;
    const late = clock.sleep(WAKING_MS_MAX, over.signal).then(
      () => {
        isLate = true;
        impatientSince.set(dataset.name, clock.now());
      },
      () => undefined,
    );
    try {
      await registry.refresh();
      if ((registry.status(dataset)?.nextAt ?? 0) > clock.now() || !isBuilding()) return;
      while (!isLate && !isTried(dataset)) await Promise.race([registry.refreshed(), late]);
    } finally {
      over.abort();
    }
  }

  async function wait(dataset: AnyDataset): Promise<void> {
    const { name } = dataset;
    const built = waits.get(name) ?? untilBuilt(dataset).finally(() => waits.delete(name));
    waits.set(name, built);
    waiting += 1;
    try {
      // A store that cannot be read leaves the answer as it is without it.
      await built.catch(onFault);
    } finally {
      waiting -= 1;
    }
  }

  return (dataset) => {
    const woke = asked.note(dataset);
    if (woke) tell(dataset, clock.now());
    else if (registry.get(dataset).available || isTried(dataset)) return undefined;
    const since = impatientSince.get(dataset.name);
    const isImpatient = since !== undefined && isWithin(clock.now(), since, IMPATIENT_MS);
    return waiting >= WAITING_MAX || (isImpatient && !woke) ? undefined : wait(dataset);
  };
}
