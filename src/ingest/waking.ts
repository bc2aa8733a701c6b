import { WAKING_MS_MAX } from "../contract/answer-time.js";
import type { AnyDataset } from "../contract/product.js";
import { type Clock, isWithin, MINUTE_MS } from "../kit/clock.js";
import type { RequestBoard } from "../snapshots/builds/request-board.js";
import type { SnapshotRegistry } from "../snapshots/registry.js";

export interface WakingParts {
  readonly requests: RequestBoard;
  readonly registry: SnapshotRegistry;
  readonly clock: Clock;
  /** Tells the builder that a dataset was requested. The request keeps the dataset awake (see `RequestBoard`). */
  readonly tell: (dataset: AnyDataset, requestedAt: number) => void;
  /** False while no process builds datasets. Waiting would then be pointless. */
  readonly isBuilding: () => boolean;
  readonly onFault: (error: unknown) => void;
}

/**
 * Records a request for a dataset that is built only on request. Returns a promise that resolves at the end of the
 * awaited build; undefined if the request does not wait. The wait takes at most `WAKING_MS_MAX`.
 */
export type Awaken = (dataset: AnyDataset) => Promise<void> | undefined;

/** Maximum number of requests that wait at the same time. Further requests are answered from what is stored. */
const WAITING_MAX = 200;
/**
 * Once a wait for a dataset has timed out, further requests for the dataset do not wait during this time, except a
 * request that wakes the dataset.
 */
const IMPATIENT_MS = 2 * MINUTE_MS;

export function createAwaken({ requests, registry, clock, tell, isBuilding, onFault }: WakingParts): Awaken {
  const waits = new Map<string, Promise<void>>();
  const impatientSince = new Map<string, number>();
  let waiting = 0;

  /** True if a run has ended since the dataset woke. */
  function isTried(dataset: AnyDataset): boolean {
    const attemptedAt = registry.status(dataset)?.attemptedAt;
    return attemptedAt !== undefined && attemptedAt >= (requests.awakeSince(dataset) ?? Number.POSITIVE_INFINITY);
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
      // If the store cannot be read, the request is answered without waiting for a build.
      await built.catch(onFault);
    } finally {
      waiting -= 1;
    }
  }

  return (dataset) => {
    const woke = requests.note(dataset);
    if (woke) tell(dataset, clock.now());
    else if (registry.get(dataset).available || isTried(dataset)) return undefined;
    const since = impatientSince.get(dataset.name);
    const isImpatient = since !== undefined && isWithin(clock.now(), since, IMPATIENT_MS);
    return waiting >= WAITING_MAX || (isImpatient && !woke) ? undefined : wait(dataset);
  };
}
