import type { AnyDataset } from "../../contract/product.js";
import { suggestion } from "../../kit/nearest.js";
import { OperatorError } from "../../kit/operator-error.js";

/** The dataset with this name. Throws an `OperatorError` that suggests the most similar name if there is none. */
export function datasetNamed(datasets: readonly AnyDataset[], name: string): AnyDataset {
  const dataset = datasets.find((candidate) => candidate.name === name);
  if (dataset) return dataset;
  const names = datasets.map((candidate) => candidate.name);
  throw new OperatorError(`there is no dataset ${name}${suggestion(name, names) || "; vigil datasets lists them"}`);
}
