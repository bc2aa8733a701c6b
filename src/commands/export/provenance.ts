import type { AnyDataset } from "../../contract/product.js";
import { sourcesOf } from "../../contract/product.js";
import type { AnySource } from "../../contract/source.js";
import type { Generation } from "../../snapshots/generation.js";
import type { ExportedRows } from "./exported-rows.js";
import type { SurveyedRows } from "./row-survey.js";

/** The origin of the rows of an export. Instants are epoch milliseconds. */
export type ExportProvenance = Readonly<Record<string, unknown>>;

interface ExportOrigin {
  readonly dataset: AnyDataset;
  readonly generation: Generation;
  readonly rows: ExportedRows;
  readonly surveyed: SurveyedRows;
  readonly isSimulated: boolean;
  /** The program that made the export. */
  readonly exporter: string;
}

/** Describes the origin of rows: the generation, its hash, the upstream answers behind it, sources and licences. */
export function provenanceOf({
  dataset,
  generation,
  rows,
  surveyed,
  isSimulated,
  exporter,
}: ExportOrigin): ExportProvenance {
  const requests = rows.parts.flatMap((part) =>
    Object.entries(generation.provenance[part] ?? {}).map(([request, origin]) => ({ part, request, ...origin })),
  );
  const used = new Set(requests.map(({ source }) => source));
  const sources = sourcesOf(dataset).filter(({ id }) => used.size === 0 || used.has(id));
  return {
    dataset: dataset.name,
    title: dataset.title,
    description: dataset.description,
    simulated: isSimulated,
    generation: generation.generation,
    contentHash: generation.contentHash,
    builtAt: generation.builtAt,
    newestAt: generation.newestAt,
    rows: rows.count,
    parts: rows.parts.map((name) => ({ name, rows: generation.recordCounts[name] ?? 0 })),
    columns: surveyed.columns.map(({ name, kind }) => ({ name, kind })),
    gaps: dataset.gaps,
    sources: sources.map(aboutSource),
    ...(generation.ingredients && { ingredients: generation.ingredients }),
    requests,
    exporter,
  };
}

function aboutSource({ id, title, home, licence }: AnySource): object {
  return { id, title, home, licence };
}
