import type { AnyDataset } from "../contract/product.js";
import type { RunOptions, RunResult, RunTools } from "./run.js";
import { runCollection } from "./run-collection.js";
import { runProduct } from "./run-product.js";

/** Builds, checks and publishes a dataset. A failed run changes only the status. */
export function runDataset(tools: RunTools, dataset: AnyDataset, options: RunOptions): Promise<RunResult> {
  return dataset.kind === "product" ? runProduct(tools, dataset, options) : runCollection(tools, dataset, options);
}
