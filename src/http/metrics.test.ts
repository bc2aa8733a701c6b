import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { type ServiceCounts, serviceCounts } from "../contract/service-counter.js";
import { manualClock } from "../kit/manual-clock.js";
import type { SnapshotRegistry } from "../snapshots/registry.js";
import { createMetrics } from "./metrics.js";

/** Metrics of one operation and no dataset. */
function metrics(counts: ServiceCounts = serviceCounts([])) {
  return createMetrics(
    [{ path: "/api/a/v1/b" }],
    // The cast is safe, because only the list of datasets is used.
    { datasets: [] } as unknown as SnapshotRegistry,
    manualClock(0),
    counts,
    async () => ({ figures: { numbers: { rows: 7 } } }),
    { count: 3 },
    { shedCount: (reason) => (reason === "loop" ? 2 : 0), runningCount: 5 },
  );
}

function linesOf(text: string, name: string): readonly string[] {
  return text.split("\n").filter((line) => line.startsWith(name));
}

test("durations are exposed in cumulative buckets with their sum and count", async () => {
  const { observe, text } = metrics();
  for (const durationMs of [0.5, 0.6, 2.5, 99, 5_000, 5_001]) observe("/api/a/v1/b", 200, durationMs);
  const durationLines = linesOf(await text(), "vigil_request_duration_seconds").filter((line) =>
    line.includes("/api/a"),
  );
  const at = (le: string, count: number) =>
    `vigil_request_duration_seconds_bucket{operation="/api/a/v1/b",le="${le}"} ${count}`;
  expect(durationLines).toEqual([
    at("0.0005", 1),
    at("0.001", 2),
    at("0.0025", 3),
    at("0.005", 3),
    at("0.01", 3),
    at("0.025", 3),
    at("0.05", 3),
    at("0.1", 4),
    at("0.5", 4),
    at("1", 4),
    at("5", 5),
    at("+Inf", 6),
    'vigil_request_duration_seconds_sum{operation="/api/a/v1/b"} 10.1036',
    'vigil_request_duration_seconds_count{operation="/api/a/v1/b"} 6',
  ]);
});

test("a scrape states the type of each metric", async () => {
  const lines = (await metrics().text()).split("\n").filter((line) => line !== "");
  const types = new Map(
    lines.flatMap((line) => {
      const [, name, type] = /^# TYPE (\S+) (counter|gauge|histogram)$/.exec(line) ?? [];
      return name === undefined || type === undefined ? [] : [[name, type] as const];
    }),
  );
  const samples = lines.filter((line) => !line.startsWith("#")).map((line) => line.split(/[{ ]/, 1)[0] ?? "");
  const metricOf = (sample: string): string => {
    const histogram = sample.replace(/_(?:bucket|sum|count)$/, "");
    return types.get(histogram) === "histogram" ? histogram : sample;
  };
  expect(samples.filter((sample) => !types.has(metricOf(sample)))).toEqual([]);
  expect(types.get("vigil_request_duration_seconds")).toBe("histogram");
  expect(types.get("vigil_requests_total")).toBe("counter");
  expect(types.get("vigil_streams_open")).toBe("gauge");
});

test("answers are counted by operation and status class; paths that are not operations share one label", async () => {
  const { observe, observeShed, text } = metrics();
  for (const status of [200, 204, 304, 404, 500]) observe("/api/a/v1/b", status, 1);
  observeShed("/api/a/v1/b");
  for (const path of ["/", "/nowhere"]) observe(path, 404, 1);
  const counts = linesOf(await text(), "vigil_requests_total").map((line) => line.replace("vigil_requests_total", ""));
  expect(counts).toEqual([
    '{operation="/api/a/v1/b",status="2xx"} 2',
    '{operation="/api/a/v1/b",status="3xx"} 1',
    '{operation="/api/a/v1/b",status="4xx"} 1',
    '{operation="/api/a/v1/b",status="5xx"} 1',
    '{operation="/api/a/v1/b",status="shed"} 1',
    '{operation="other",status="2xx"} 0',
    '{operation="other",status="3xx"} 0',
    '{operation="other",status="4xx"} 2',
    '{operation="other",status="5xx"} 0',
    '{operation="other",status="shed"} 0',
  ]);
});

test("counters of services are exposed with every value of their label", async () => {
  const refusals = { name: "vigil_refusals_total", help: "Refusals", label: "reason", values: ["early", "late"] };
  const counts = serviceCounts([refusals]);
  counts.count(refusals, "late");
  expect(linesOf(await metrics(counts).text(), "vigil_refusals_total")).toEqual([
    'vigil_refusals_total{reason="early"} 0',
    'vigil_refusals_total{reason="late"} 1',
  ]);
});

test("figures of services are exposed as gauges, labelled by service and name", async () => {
  const text = await metrics().text();
  expect(text).toContain('vigil_service_figure{service="numbers",figure="rows"} 7');
});

test("the number of open streams of the process is exposed", async () => {
  expect(await metrics().text()).toContain("vigil_streams_open 3");
});

test("shed calls are exposed by reason, and the number of running calls is exposed", async () => {
  const text = await metrics().text();
  expect(linesOf(text, "vigil_shed_total")).toEqual([
    'vigil_shed_total{reason="calls"} 0',
    'vigil_shed_total{reason="caller"} 0',
    'vigil_shed_total{reason="loop"} 2',
  ]);
  expect(linesOf(text, "vigil_calls_running")).toEqual(["vigil_calls_running 5"]);
});

test("the metrics of the process do not keep a service in memory that has ended", async () => {
  const built = pathToFileURL(resolve(import.meta.dirname, "../../dist/http/metrics.js")).href;
  const code = `
    import { createMetrics } from ${JSON.stringify(built)};
    function endedService() {
      const snapshots = { datasets: [] };
      createMetrics([], snapshots, {}, { counters: [] }, async () => ({}), {}, {});
      return new WeakRef(snapshots);
    }
    const ended = endedService();
    // A WeakRef keeps its target until the present turn of the event loop has ended.
    setTimeout(() => {
      gc();
      process.stdout.write(ended.deref() === undefined ? "collected" : "kept");
    }, 1);
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ["--expose-gc", "--input-type=module", "-e", code]);
  expect(stdout).toBe("collected");
});
