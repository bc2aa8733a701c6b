import type { StoreChoice } from "../shared/store-choice.js";

export const EXPORT_FORMATS = ["csv", "ndjson", "geojson", "parquet"] as const;

export interface ExportOptions extends StoreChoice {
  readonly format: (typeof EXPORT_FORMATS)[number];
  readonly output?: string;
  readonly part?: string;
  readonly generation?: number;
  /** Epoch ms. */
  readonly asOf?: number;
}
