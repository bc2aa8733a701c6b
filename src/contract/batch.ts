import { type Port, port } from "./port.js";

/** One read of a batch. */
export interface BatchItem {
  readonly id: string;
  readonly path: string;
}

/** The result of one read: the JSON text that stands in the answer. */
export interface BatchItemResult {
  readonly text: string;
  readonly isSuccess: boolean;
}

/** Runs reads as the caller of the batch. */
export interface BatchRunner {
  /** The results in the order of the items. Throws when the caller has left. */
  run(items: readonly BatchItem[]): Promise<readonly BatchItemResult[]>;
}

export const batchRunner: Port<BatchRunner> = port("batch runner");
