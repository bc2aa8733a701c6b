import { type Port, port } from "./port.js";

/** One read of a batch. */
export interface BatchItem {
  readonly id: string;
  readonly path: string;
}

/** The result of one read, as the JSON text for the batch answer. */
export interface BatchItemResult {
  readonly text: string;
  readonly isSuccess: boolean;
}

/** Runs reads on behalf of the batch's caller. */
export interface BatchRunner {
  /** Returns the results in the order of the items. Throws if the caller has disconnected. */
  run(items: readonly BatchItem[]): Promise<readonly BatchItemResult[]>;
}

export const batchRunner: Port<BatchRunner> = port("batch runner");
