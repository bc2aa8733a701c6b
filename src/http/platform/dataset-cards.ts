import type { RegisteredOperation } from "../../contract/operation.js";
import type { AnyDataset } from "../../contract/product.js";
import { ingredientsOf, isMadeOf, sourcesOf } from "../../contract/product.js";
import type { AnySource } from "../../contract/source.js";
import type { RequestProvenance, StoredPartStatus } from "../../snapshots/provenance.js";
import type { SnapshotRegistry } from "../../snapshots/registry.js";
import { stateReasons } from "../../snapshots/state-reasons.js";
import type { DatasetCard } from "./answers/dataset-cards.js";
import { contentAgeMaxSeconds, partAge } from "./part-age.js";

/** Maximum number of upstream answers per part in the list of cards. The card of a single dataset lists all. */
const PROVENANCE_SHOWN = 20;

/**
 * The card of every dataset, or of the named one: description, sources, required freshness and current freshness. Empty
 * for the name of a dataset that does not exist or is not built.
 */
export function datasetCards(
  registry: SnapshotRegistry,
  operations: readonly RegisteredOperation[],
  name: string | undefined,
  now: number,
): readonly DatasetCard[] {
  const datasets = registry.datasets.filter((dataset) => name === undefined || dataset.name === name);
  const shownMax = name === undefined ? PROVENANCE_SHOWN : Number.POSITIVE_INFINITY;
  return datasets.map((dataset) => ({
    ...aboutDataset(dataset, operations),
    ...aboutContent(registry, dataset, shownMax, now),
  }));
}

function aboutDataset(dataset: AnyDataset, operations: readonly RegisteredOperation[]) {
  const readers = operations.filter(({ operation }) =>
    Object.values(operation.reads as Readonly<Record<string, AnyDataset>>).some((read) => isMadeOf(read, dataset)),
  );
  return {
    name: dataset.name,
    title: dataset.title,
    description: dataset.description,
    operations: readers.map(({ path }) => path),
    cadenceSeconds: dataset.cadenceMs / 1_000,
    staleAfterSeconds: dataset.staleAfterMs / 1_000,
    contentAgeMaxSeconds: contentAgeMaxSeconds(dataset),
    gate: dataset.gateRule,
    gaps: dataset.gaps,
    ...(dataset.kind === "product" && { reads: ingredientsOf(dataset).map(({ name }) => name) }),
    sources: sourcesOf(dataset).map(aboutSource),
  };
}

function aboutContent(registry: SnapshotRegistry, dataset: AnyDataset, shownMax: number, now: number) {
  const snapshot = registry.get(dataset);
  const generation = registry.generation(dataset);
  const status = registry.status(dataset);
  return {
    state: snapshot.state,
    stateReasons: stateReasons(dataset, snapshot, now),
    generation: generation?.generation ?? null,
    contentHash: generation?.contentHash ?? null,
    builtAt: generation?.builtAt ?? null,
    checkedAt: snapshot.available ? snapshot.checkedAt : null,
    newestAt: generation?.newestAt ?? null,
    error: status?.error ?? null,
    ...troublesOf(registry, dataset),
    ...(generation?.ingredients && { ingredients: generation.ingredients }),
    parts: Object.keys(dataset.parts).map((name) => ({
      name,
      state: status?.parts[name]?.state ?? "missing",
      confirmedAt: status?.parts[name]?.confirmedAt ?? null,
      error: status?.parts[name]?.error ?? null,
      records: generation?.recordCounts[name] ?? 0,
      ...partAge(registry, dataset, name, now),
      ...provenanceOf(generation?.provenance[name] ?? {}, shownMax),
      ...fieldsOf(status?.parts[name]),
    })),
  };
}

/** The upstream answers of a part, and their total number. */
function provenanceOf(provenance: Readonly<Record<string, RequestProvenance>>, shownMax: number) {
  const answers = Object.entries(provenance);
  return {
    provenanceCount: answers.length,
    provenance: answers.slice(0, shownMax).map(([request, origin]) => ({ request, ...origin })),
  };
}

/**
 * The failing requests of a collection with many requests, each with the reason and the start of its current series
 * of failures.
 */
function troublesOf(registry: SnapshotRegistry, dataset: AnyDataset): Pick<DatasetCard, "troubles"> {
  return dataset.kind === "collection" && dataset.troubles ? { troubles: registry.troubles(dataset) } : {};
}

/** For each source, the share of rows without each optional field, and warnings about shares that rose suddenly. */
function fieldsOf(part: StoredPartStatus | undefined): Pick<DatasetCard["parts"][number], "rowsWithout" | "warnings"> {
  if (!part?.fields) return {};
  const rowsWithout = Object.entries(part.fields).map(([source, { rows, share }]) => ({
    source,
    rows,
    // Fields that every row has are not listed.
    shares: Object.fromEntries(Object.entries(share).filter(([, value]) => value > 0)),
  }));
  return { rowsWithout, warnings: part.warnings ?? [] };
}

function aboutSource({ id, title, home, seen, unseen, licence, credentials }: AnySource) {
  return {
    id,
    title,
    home,
    seen,
    ...(unseen !== undefined && { unseen }),
    licence,
    credentials: credentials.map(({ variable }) => variable),
  };
}
