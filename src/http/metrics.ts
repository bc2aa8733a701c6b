import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { ServiceCounts } from "../contract/service-counter.js";
import { snapshotStates } from "../contract/snapshot.js";
import type { Clock } from "../kit/clock.js";
import type { SnapshotRegistry } from "../snapshots/registry.js";
import { type Admission, shedReasons } from "./admission.js";
import type { ServiceFacts } from "./platform/facts.js";
import type { Streams } from "./streams/streams.js";

/** Label of all paths without counters of their own, such as documents, health and unknown paths. */
const OTHER = "other";
const STATUS_CLASSES = ["2xx", "3xx", "4xx", "5xx"];
/**
 * Status of the calls that were refused under overload. These refusals are intended, so they are not counted as errors.
 */
const SHED = "shed";

export interface Metrics {
  /** Counts an answer. `path` is the path of the call; all paths without counters of their own are counted together. */
  observe(path: string, status: number, durationMs: number): void;
  /** Counts a call that was refused under overload. */
  observeShed(path: string): void;
  /** Prometheus text. */
  text(): Promise<string>;
  readonly contentType: string;
}

/**
 * Creates all metrics, such as the rate, errors and duration by path, and the age, generation and state of each
 * dataset. All series exist from the start, except those of store figures that cannot be read.
 */
export function createMetrics(
  calls: readonly { readonly path: string }[],
  snapshots: SnapshotRegistry,
  clock: Clock,
  counts: ServiceCounts,
  figures: ServiceFacts["figures"],
  streams: Pick<Streams, "count">,
  admission: Pick<Admission, "shedCount" | "runningCount">,
): Metrics {
  const registry = new Registry();
  // Answers are counted in plain numbers that each scrape formats, because answers are frequent and scrapes are rare.
  new Counter({
    name: "vigil_requests_total",
    help: "Answers by operation and status class; shed for calls refused under overload",
    labelNames: ["operation", "status"],
    registers: [registry],
    collect() {
      this.reset();
      for (const [operation, { counts, shed }] of series) {
        for (const [index, status] of STATUS_CLASSES.entries()) this.inc({ operation, status }, counts[index] ?? 0);
        this.inc({ operation, status: SHED }, shed);
      }
    },
  });
  const other = new Series();
  const series = new Map([...calls.map(({ path }) => [path, new Series()] as const), [OTHER, other] as const]);
  registry.registerMetric(new Durations(series));
  datasetGauges(registry, snapshots, clock);
  serviceCounters(registry, counts);
  storeGauge(registry, figures);
  new Gauge({
    name: "vigil_streams_open",
    help: "Open streams of this process",
    registers: [registry],
    collect() {
      this.set(streams.count);
    },
  });
  admissionMetrics(registry, admission);
  const all = Registry.merge([processMetrics(), registry]);
  return {
    observe: (path, status, durationMs) => (series.get(path) ?? other).observe(status, durationMs),
    observeShed(path) {
      (series.get(path) ?? other).shed += 1;
    },
    text: () => all.metrics(),
    contentType: all.contentType,
  };
}

let ofProcess: Registry | undefined;

/**
 * The metrics of this process, such as its memory and its event loop delay. There is one set per process, because the
 * library never stops measuring them: a set of each service would keep closed services in memory.
 */
function processMetrics(): Registry {
  if (ofProcess === undefined) {
    ofProcess = new Registry();
    collectDefaultMetrics({ register: ofProcess });
  }
  return ofProcess;
}

function admissionMetrics(registry: Registry, admission: Pick<Admission, "shedCount" | "runningCount">): void {
  new Counter({
    name: "vigil_shed_total",
    help: "Calls refused under overload, by reason",
    labelNames: ["reason"],
    registers: [registry],
    collect() {
      this.reset();
      for (const reason of shedReasons) this.inc({ reason }, admission.shedCount(reason));
    },
  });
  new Gauge({
    name: "vigil_calls_running",
    help: "Calls that are being answered, except those that are answered immediately",
    registers: [registry],
    collect() {
      this.set(admission.runningCount);
    },
  });
}

const DURATIONS = "vigil_request_duration_seconds";
const BUCKETS_MS = [0.5, 1, 2.5, 5, 10, 25, 50, 100, 500, 1_000, 5_000];

/** The counters of the calls that share a label. */
class Series {
  readonly counts = STATUS_CLASSES.map(() => 0);
  /**
   * Number of answers in each bucket. An answer counts in the first bucket that includes it; the last entry counts
   * answers above all buckets.
   */
  readonly durations = [...BUCKETS_MS, Number.POSITIVE_INFINITY].map(() => 0);
  totalMs = 0;
  /**
   * Calls refused under overload. Their durations are not recorded, because they are short and would hide the long
   * durations of the other calls.
   */
  shed = 0;

  observe(status: number, durationMs: number): void {
    const statusClass = Math.floor(status / 100) - 2;
    this.counts[statusClass] = (this.counts[statusClass] ?? 0) + 1;
    let bucket = 0;
    while (durationMs > (BUCKETS_MS[bucket] ?? Number.POSITIVE_INFINITY)) bucket += 1;
    this.durations[bucket] = (this.durations[bucket] ?? 0) + 1;
    this.totalMs += durationMs;
  }
}

const DURATIONS_HELP = "Time from the parsed request to its answer";

/** The durations in Prometheus's form, in which each bucket also counts all shorter durations. */
class Durations extends Histogram<"operation"> {
  private readonly series: ReadonlyMap<string, Series>;

  constructor(series: ReadonlyMap<string, Series>) {
    super({ name: DURATIONS, help: DURATIONS_HELP, labelNames: ["operation"], registers: [] });
    this.series = series;
  }

  /**
   * Returns the counts of `series`. The library's own counting is not used, because it would take longer than all other
   * work of the metrics.
   */
  async getForPromString() {
    const values = [...this.series].flatMap(([operation, series]) => durationsOf(operation, series));
    return { name: DURATIONS, help: DURATIONS_HELP, type: "histogram", aggregator: "sum", values };
  }
}

function durationsOf(operation: string, { durations, totalMs }: Series) {
  let count = 0;
  const buckets = durations.map((own, at) => {
    count += own;
    const bound = BUCKETS_MS[at];
    const le = bound === undefined ? "+Inf" : bound / 1_000;
    return { labels: { operation, le }, value: count, metricName: `${DURATIONS}_bucket` };
  });
  return [
    ...buckets,
    { labels: { operation }, value: totalMs / 1_000, metricName: `${DURATIONS}_sum` },
    { labels: { operation }, value: count, metricName: `${DURATIONS}_count` },
  ];
}

/** The counters of services, read at each scrape. */
function serviceCounters(registry: Registry, counts: ServiceCounts): void {
  for (const counter of counts.counters) {
    const { name, help, label, values } = counter;
    new Counter({
      name,
      help,
      labelNames: [label],
      registers: [registry],
      collect() {
        this.reset();
        for (const value of values) this.inc({ [label]: value }, counts.countOf(counter, value));
      },
    });
  }
}

/** Figures of the stores of services. There are no series while the stores cannot be read. */
function storeGauge(registry: Registry, figures: ServiceFacts["figures"]): void {
  new Gauge({
    name: "vigil_service_figure",
    help: "Figures of the stores of services, as in health",
    labelNames: ["service", "figure"],
    registers: [registry],
    async collect() {
      this.reset();
      for (const [service, values] of Object.entries((await figures()).figures ?? {})) {
        for (const [figure, value] of Object.entries(values)) this.set({ service, figure }, value);
      }
    },
  });
}

/** Gauges are computed at each scrape, so that the age of a dataset also grows between its builds. */
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
    "Time at which an upstream last confirmed the dataset (epoch seconds); 0 for never",
    (dataset) => seconds(snapshots.status(dataset)?.checkedAt),
  );
  gauge("vigil_dataset_age_seconds", "Age of the newest observation; NaN without one", (dataset) => {
    const newestAt = snapshots.generation(dataset)?.newestAt;
    return newestAt == null ? Number.NaN : (clock.now() - newestAt) / 1_000;
  });
  gauge(
    "vigil_dataset_generation",
    "Served generation; 0 for none",
    (dataset) => snapshots.generation(dataset)?.generation ?? 0,
  );
  gauge(
    "vigil_dataset_failures_in_row",
    "Failed runs since the last successful one",
    (dataset) => snapshots.status(dataset)?.failuresInRow ?? 0,
  );
  new Gauge({
    name: "vigil_dataset_state",
    help: "1 for the current state of the dataset",
    labelNames: ["dataset", "state"],
    registers: [registry],
    collect() {
      for (const dataset of snapshots.datasets) {
        const current = snapshots.get(dataset).state;
        for (const state of snapshotStates) this.set({ dataset: dataset.name, state }, state === current ? 1 : 0);
      }
    },
  });
}
