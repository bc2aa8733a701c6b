import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse, parseAllDocuments } from "yaml";
import { deployed, inDeploy } from "./files.js";
import { Templates } from "./template.js";

const CHART = "helm/vigil";

export type Manifest = Readonly<Record<string, unknown>> & { readonly apiVersion: string; readonly kind: string };

/** The values of the chart with these members replaced. Nested objects are merged member by member. */
export function chartValues(changes: object = {}): unknown {
  return merged(parse(deployed(`${CHART}/values.yaml`)), changes);
}

/** The manifests that Helm would create. */
export function manifestsOf(values: unknown): readonly Manifest[] {
  const folder = inDeploy(`${CHART}/templates`);
  const chart: { readonly appVersion: string } = parse(deployed(`${CHART}/Chart.yaml`));
  const templates = new Templates();
  // The file of definitions comes first: its name starts with an underscore, which sorts before lower-case letters.
  const renderers = readdirSync(folder)
    .toSorted()
    .map((name) => [name, templates.add(readFileSync(join(folder, name), "utf8"))] as const);
  const dot = {
    Values: values,
    Release: { Name: "release", Namespace: "space", Service: "Helm" },
    Chart: { AppVersion: chart.appVersion },
  };
  return renderers
    .filter(([name]) => name.endsWith(".yaml"))
    .flatMap(([name, render]) =>
      parseAllDocuments(render(dot)).map((document) => {
        if (document.errors.length > 0) throw new Error(`${name}: ${document.errors.join("; ")}`);
        return document.toJS() as Manifest | null;
      }),
    )
    .filter((manifest) => manifest !== null);
}

function merged(base: unknown, changes: unknown): unknown {
  if (!isRecord(base) || !isRecord(changes)) return changes ?? base;
  const names = new Set([...Object.keys(base), ...Object.keys(changes)]);
  return Object.fromEntries([...names].map((name) => [name, merged(base[name], changes[name])]));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
