import { Deployment } from "kubernetes-models/apps/v1";
import { HorizontalPodAutoscaler } from "kubernetes-models/autoscaling/v2";
import { Ingress, NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1";
import { ConfigMap, Service, ServiceAccount } from "kubernetes-models/v1";
import type { Manifest } from "./chart.js";

const models: Readonly<Record<string, () => { validate(): void }>> = {
  "apps/v1 Deployment": () => new Deployment(),
  "autoscaling/v2 HorizontalPodAutoscaler": () => new HorizontalPodAutoscaler(),
  "networking.k8s.io/v1 Ingress": () => new Ingress(),
  "networking.k8s.io/v1 NetworkPolicy": () => new NetworkPolicy(),
  "policy/v1 PodDisruptionBudget": () => new PodDisruptionBudget(),
  "v1 ConfigMap": () => new ConfigMap(),
  "v1 Service": () => new Service(),
  "v1 ServiceAccount": () => new ServiceAccount(),
};

/** True for a manifest of the Prometheus operator. `models` has no schemas for such manifests. */
export function isOfExtension({ apiVersion }: Manifest): boolean {
  return apiVersion.startsWith("monitoring.coreos.com/");
}

/**
 * The paths of members that Kubernetes does not define. Throws if the manifest violates the schema of its kind. The
 * validation ignores unknown members, so each member that it never reads is unknown.
 */
export function unknownMembers(manifest: Manifest): readonly string[] {
  const model = models[`${manifest.apiVersion} ${manifest.kind}`];
  if (model === undefined) throw new Error(`no schema for ${manifest.apiVersion} ${manifest.kind}`);
  const unread = new Set<string>();
  const members = Object.entries(manifest).map(([name, value]) => [name, traced(value, name, unread)]);
  Object.assign(model(), Object.fromEntries(members)).validate();
  return [...unread];
}

/** Wraps a value. Adds the paths of its members to `unread`, and removes the path of each member when it is read. */
function traced(value: unknown, path: string, unread: Set<string>): unknown {
  if (typeof value !== "object" || value === null) return value;
  const pathOf = (name: string | symbol): string => `${path}.${String(name)}`;
  const children = new Map<string, unknown>();
  for (const [name, child] of Object.entries(value)) {
    unread.add(pathOf(name));
    children.set(name, child);
  }
  return new Proxy(value, {
    get(target, name) {
      if (typeof name === "symbol" || !children.has(name)) return Reflect.get(target, name);
      const isFirst = unread.delete(pathOf(name));
      if (isFirst) children.set(name, traced(children.get(name), pathOf(name), unread));
      return children.get(name);
    },
  });
}
