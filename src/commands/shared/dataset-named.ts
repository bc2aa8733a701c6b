import type { AnyDataset } from "../../contract/product.js";
import { suggestion } from "../../kit/nearest.js";
import { OperatorError } from "../../kit/operator-error.js";

/**
 * Finds the dataset with this name. If there is none, throws an `OperatorError` that suggests the most similar name.
 */
export function datasetNamed(datasets: readonly AnyDataset[], name: string): AnyDataset {
  const dataset = datasets.find((candidate) => candidate.name === name);
  if (dataset) return dataset;
  const names = datasets.map((candidate) => candidate.name);
  throw new OperatorError(`there is no dataset ${name}${suggestion(name, names) || "; `vigil datasets` lists all"}`);
}
