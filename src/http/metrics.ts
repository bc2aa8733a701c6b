import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { RegisteredOperation } from "../contract/operation.js";
import type { SnapshotState } from "../contract/snapshot.js";
import type { Clock } from "../kit/clock.js";
import type { SnapshotRegistry } from "../snapshots/registry.js";

const STATES: readonly SnapshotState[] = ["ok", "partial", "stale", "absent", "unreadable"];
/** Every path that is no operation. */
const OTHER = "other";
const STATUS_CLASSES = ["2xx", "3xx", "4xx", "5xx"];

export interface Metrics {
  /** `path` is the path of the call; everything that is no operation counts together. */
  observe(path: string, status: number, durationMs: number): void;
  /** Prometheus text. */
  text(): Promise<string>;
  readonly contentType: string;
}

/** Rate, errors and duration per operation; time, age, generation and state per dataset; all present from the start. */
export function createMetrics(
  operations: readonly RegisteredOperation[],
  snapshots: SnapshotRegistry,
  clock: Clock,
): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  // Counted in plain numbers and told when it is scraped: every answer counts, few are ever asked about.
  new Counter({
    name: "vigil_requests_total",
    help: "Answers by operation and status class",
    labelNames: ["operation", "status"],
    registers: [registry],
    collect() {
      this.reset();
      for (const [operation, { counts }] of series) {
        for (const [index, status] of STATUS_CLASSES.entries()) this.inc({ operation, status }, counts[index] ?? 0);
      }
    },
  });
  const durations = new Histogram({
    name: "vigil_request_duration_seconds",
    help: "Time from the parsed request to its answer",
    labelNames: ["operation"],
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5],
    registers: [registry],
  });
  const series = new Map(
    [...operations.map(({ path }) => path), OTHER].map((operation) => {
      durations.zero({ operation });
      return [operation, { duration: durations.labels({ operation }), counts: STATUS_CLASSES.map(() => 0) }] as const;
    }),
  );
  datasetGauges(registry, snapshots, clock);
  return {
    observe(path, status, durationMs) {
      const found = series.get(path) ?? series.get(OTHER);
      if (!found) return;
      const statusClass = Math.floor(status / 100) - 2;
      found.counts[statusClass] = (found.counts[statusClass] ?? 0) + 1;
      found.duration.observe(durationMs / 1_000);
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

/** Gauges are read when they are scraped, so that a dataset ages without anybody asking for it. */
function datasetGauges(registry: Registry, snapshots: SnapshotRegistry, clock: Clock): void {
  const gauge = (
    name: string,
    help: string,
    value: (dataset: SnapshotRegistry["datasets"][number]) => number,
  ): void => {
    new Gauge({
      name,
      help,
      labelNames: ["dataset"],
      registers: [registry],
      collect() {
        for (const dataset of snapshots.datasets) this.set({ dataset: dataset.name }, value(dataset));
      },
    });
  };
  const seconds = (at: number | null | undefined): number => (at == null ? 0 : at / 1_000);
  gauge(
    "vigil_dataset_last_success_seconds",
    "When an upstream last confirmed the dataset (epoch); 0 for never",
    (dataset) => seconds(snapshots.status(dataset)?.checkedAt),
  );
  gauge("vigil_dataset_age_seconds", "Age of the newest observation; NaN where there is none", (dataset) => {
    const newestAt = snapshots.generation(dataset)?.newestAt;
    return newestAt == null ? Number.NaN : (clock.now() - newestAt) / 1_000;
  });
  gauge(
    "vigil_dataset_generation",
    "Generation that is served; 0 for none",
    (dataset) => snapshots.generation(dataset)?.generation ?? 0,
  );
  gauge(
    "vigil_dataset_failures_in_row",
    "Runs that failed since the last good one",
    (dataset) => snapshots.status(dataset)?.failuresInRow ?? 0,
  );
  new Gauge({
    name: "vigil_dataset_state",
    help: "1 for the state that the dataset is in",
    labelNames: ["dataset", "state"],
    registers: [registry],
    collect() {
      for (const dataset of snapshots.datasets) {
        const current = snapshots.get(dataset).state;
        for (const state of STATES) this.set({ dataset: dataset.name, state }, state === current ? 1 : 0);
      }
    },
  });
}
