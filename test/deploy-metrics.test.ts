import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { deployed, inDeploy } from "./support/deploy/files.js";
import { call, type Stack, startStack } from "./support/stack.js";

const promtool = ["/usr/bin/promtool", "/usr/local/bin/promtool"].find(existsSync);

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
}
const dashboard: { readonly panels: readonly Panel[]; readonly templating: { readonly list: readonly object[] } } =
  JSON.parse(deployed("grafana/vigil.json"));
const alerts: {
  readonly groups: readonly { readonly rules: readonly { readonly alert: string; readonly expr: string }[] }[];
} = parse(deployed("prometheus/alerts.yml"));
const rules = alerts.groups.flatMap(({ rules }) => rules);
const panelExpressions = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

let stack: Stack;
let lines: readonly string[];
beforeAll(async () => {
  stack = await startStack({ filled: ["us-cpi"] });
  const { body } = await call(stack.answer, "GET", "/metrics", {}, { from: "127.0.0.1" });
  lines = String(body).split("\n");
}, 60_000);
afterAll(() => stack.close());

/** Labels that are not compared: those that Prometheus adds, and `le`, the bound of a histogram bucket. */
const ADDED = ["job", "instance", "namespace", "pod", "le"];

/** Finds the metrics in an expression that are not exposed by the service, or are exposed only with other labels. */
function missing(expression: string): readonly string[] {
  const selectors = expression.matchAll(/\b((?:vigil|process|nodejs)_[a-z0-9_]+)(?:\{([^}]*)\})?/g);
  return [...selectors].flatMap(([selector, name = "", matchers = ""]) => {
    const labels = [...matchers.matchAll(/([a-z_]+)(=~?)"([^"]*)"/g)].filter(
      ([, label = ""]) => !ADDED.includes(label),
    );
    const isThere = lines.some(
      (line) =>
        (line.startsWith(`${name}{`) || line.startsWith(`${name} `)) &&
        labels.every(([, label, , value]) => line.includes(`${label}="${value}"`)),
    );
    return isThere ? [] : [selector];
  });
}

describe("the series of /metrics", () => {
  test.each(rules)("include every series of the alert $alert", ({ expr }) => {
    expect(missing(expr)).toEqual([]);
  });

  test("include every series of the dashboard", () => {
    expect(panelExpressions.length).toBeGreaterThan(20);
    expect(panelExpressions.flatMap(missing)).toEqual([]);
    expect(missing(JSON.stringify(dashboard.templating))).toEqual([]);
  });

  test("include the series of the autoscaler's rule", () => {
    const { rules: adapter } = parse(deployed("prometheus/adapter.yml"));
    const [{ seriesQuery }] = adapter.custom;
    expect(missing(seriesQuery.replaceAll('!=""', '="x"'))).toEqual([]);
  });

  test("are compared by a check that finds a wrong name and a wrong label", () => {
    expect(missing('rate(vigil_request_total[5m]) + vigil_dataset_state{state="fine"}')).toEqual([
      "vigil_request_total",
      'vigil_dataset_state{state="fine"}',
    ]);
  });
});

test("the dashboard shows every metric that Vigil defines", () => {
  const own = new Set(lines.flatMap((line) => /^# TYPE (vigil_\S+)/.exec(line)?.[1] ?? []));
  const shown = panelExpressions.join("\n");
  expect([...own].filter((name) => !shown.includes(name))).toEqual([]);
});

test("the dashboard's panels have unique ids and non-empty titles", () => {
  expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
  expect(dashboard.panels.filter(({ title }) => title === "")).toEqual([]);
});

describe.skipIf(promtool === undefined)("promtool (skipped where it is not installed)", () => {
  function run(...args: readonly string[]): string {
    const { status, stdout, stderr } = spawnSync(promtool ?? "", args, { encoding: "utf8" });
    return status === 0 ? "" : stdout + stderr;
  }

  test("accepts the alert rules, and their own tests pass", () => {
    expect(run("check", "rules", inDeploy("prometheus/alerts.yml"))).toBe("");
    expect(run("test", "rules", inDeploy("prometheus/alerts.test.yml"))).toBe("");
  });

  test("accepts the scrape configuration and every expression of the dashboard", () => {
    const folder = mkdtempSync(join(tmpdir(), "vigil-promtool-"));
    try {
      const key = join(folder, "key");
      writeFileSync(key, "key\n");
      const scrape = deployed("prometheus/prometheus.yml")
        .replace("/etc/prometheus/vigil.key", key)
        .replace("alerts.yml", inDeploy("prometheus/alerts.yml"));
      writeFileSync(join(folder, "prometheus.yml"), scrape);
      expect(run("check", "config", join(folder, "prometheus.yml"))).toBe("");
      const recorded = panelExpressions.map((expr, at) => ({
        record: `panel:${at}`,
        expr: expr.replaceAll("$__rate_interval", "5m"),
      }));
      writeFileSync(join(folder, "panels.yml"), stringify({ groups: [{ name: "panels", rules: recorded }] }));
      expect(run("check", "rules", join(folder, "panels.yml"))).toBe("");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
