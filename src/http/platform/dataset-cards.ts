import type { AnyDataset, AnyPart } from "../../contract/dataset.js";
import type { RegisteredOperation } from "../../contract/operation.js";
import type { AnySource } from "../../contract/source.js";
import type { StoredPartStatus } from "../../snapshots/provenance.js";
import type { SnapshotRegistry } from "../../snapshots/registry.js";

type Json = Readonly<Record<string, unknown>>;

/** A card of every dataset: what it is, where it comes from, how fresh it must be, and how fresh it is. */
export function datasetCards(registry: SnapshotRegistry, operations: readonly RegisteredOperation[]): readonly Json[] {
  return registry.datasets.map((dataset) => ({
    ...aboutDataset(dataset, operations),
    ...aboutContent(registry, dataset),
  }));
}

function aboutDataset(dataset: AnyDataset, operations: readonly RegisteredOperation[]): Json {
  const readers = operations.filter(({ operation }) => Object.values(operation.reads).includes(dataset));
  return {
    name: dataset.name,
    title: dataset.title,
    description: dataset.description,
    operations: readers.map(({ path }) => path),
    cadenceSeconds: dataset.cadenceMs / 1_000,
    staleAfterSeconds: dataset.staleAfterMs / 1_000,
    contentAgeMaxSeconds: dataset.contentAgeMaxMs === undefined ? null : dataset.contentAgeMaxMs / 1_000,
    gate: dataset.gateRule,
    gaps: dataset.gaps,
    sources: sourcesOf(dataset).map(aboutSource),
  };
}

function aboutContent(registry: SnapshotRegistry, dataset: AnyDataset): Json {
  const snapshot = registry.get(dataset);
  const generation = registry.generation(dataset);
  const status = registry.status(dataset);
  return {
    state: snapshot.state,
    generation: generation?.generation ?? null,
    contentHash: generation?.contentHash ?? null,
    builtAt: generation?.builtAt ?? null,
    checkedAt: snapshot.available ? snapshot.checkedAt : null,
    newestAt: generation?.newestAt ?? null,
    error: status?.error ?? null,
    parts: Object.keys(dataset.parts).map((name) => ({
      name,
      state: status?.parts[name]?.state ?? "missing",
      confirmedAt: status?.parts[name]?.confirmedAt ?? null,
      error: status?.parts[name]?.error ?? null,
      records: generation?.recordCounts[name] ?? 0,
      provenance: Object.entries(generation?.provenance[name] ?? {}).map(([request, origin]) => ({
        request,
        ...origin,
      })),
      ...troublesOf(status?.parts[name]),
    })),
  };
}

/** Of a part that is gathered: the requests that gave nothing in the newest run, since when and why. */
function troublesOf(part: StoredPartStatus | undefined): Json {
  if (!part?.troubles) return {};
  return { troubles: Object.entries(part.troubles).map(([request, trouble]) => ({ request, ...trouble })) };
}

function sourcesOf(dataset: AnyDataset): readonly AnySource[] {
  const parts = Object.values(dataset.parts as Readonly<Record<string, AnyPart>>);
  return [...new Set(parts.flatMap((part) => part.sources))];
}

function aboutSource({ id, title, home, licence, credentials }: AnySource): Json {
  return { id, title, home, licence, credentials: credentials.map(({ variable }) => variable) };
}
