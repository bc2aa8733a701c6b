import type { StoreParts } from "../database/service-store.js";
import type { FeedOptions } from "./builder.js";
import type { ThreadForm } from "./builder-thread.js";
import type { Logger } from "./log.js";
import type { Siblings } from "./shared-state.js";

/** Options for opening a store and keeping it up to date. */
export interface ServiceOptions extends FeedOptions {
  readonly dataDir: string;
  readonly log: Logger;
  /** True to build datasets in a separate thread, so that no request waits for a decoder. Default: in this thread. */
  readonly buildInThread?: boolean;
  /** The code and limits of the separate thread, for tests. */
  readonly thread?: ThreadForm;
  /** The other processes of this machine, if this is one of several workers. */
  readonly siblings?: Siblings;
  /**
   * The name under which this process holds leases and claims; for tests with several nodes in one process. Default: a
   * new name.
   */
  readonly holder?: string;
  /** Secure random bytes for ids. Default: those of the machine. */
  readonly randomBytes?: StoreParts["randomBytes"];
}
