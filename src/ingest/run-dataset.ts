import type { AnyDataset } from "../contract/dataset.js";
import type { RunOptions, RunResult, RunTools } from "./run.js";
import { runCollection } from "./run-collection.js";
import { runProduct } from "./run-product.js";

/** Builds a dataset, gates and publishes it. A run that fails changes nothing but the status. */
export function runDataset(tools: RunTools, dataset: AnyDataset, options: RunOptions): Promise<RunResult> {
  return dataset.kind === "product" ? runProduct(tools, dataset, options) : runCollection(tools, dataset, options);
}
