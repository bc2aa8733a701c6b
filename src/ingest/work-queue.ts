/** Does a piece of work on this node. `basedOn` is the value that the request passed. Must not reject. */
export type Work = (basedOn: number | undefined) => Promise<void>;

export interface WorkRequest {
  /**
   * For recurring work, its interval in ms. All requests within nine tenths of the interval count as one, so that the
   * nodes together start about one run per interval.
   */
  readonly everyMs?: number;
  /** Passed to the work. */
  readonly basedOn?: number | undefined;
}

/**
 * Divides work among the nodes that can do it. The queue only chooses the node that starts a run. The database holds
 * the pending work, and the leases that keep two nodes from doing it at the same time. A request that is lost or
 * fulfilled twice therefore does no harm.
 */
export interface WorkQueue {
  /** Starts doing the work that the queue assigns to this node. `work` is keyed by name. Called once. */
  begin(work: ReadonlyMap<string, Work>): void;
  /**
   * Requests work on one of the nodes. Requests with the same name that wait for a node count as one. False if the
   * queue cannot be used; the caller then does the work itself. Never rejects.
   */
  request(name: string, request: WorkRequest): Promise<boolean>;
}

/** The queue of a node that does all its work itself. */
export const noWorkQueue: WorkQueue = {
  begin: () => undefined,
  request: async () => false,
};
