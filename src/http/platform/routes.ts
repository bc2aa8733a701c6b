import { catalogue } from "../../contract/catalogue.js";
import { failure } from "../../contract/failures.js";
import { openApiDocument, type PlatformPath } from "../../contract/openapi.js";
import type { RegisteredOperation } from "../../contract/operation.js";
import type { Clock } from "../../kit/clock.js";
import type { SnapshotRegistry } from "../../snapshots/registry.js";
import { type Answer, type Exchange, jsonAnswer } from "../exchange.js";
import type { Metrics } from "../metrics.js";
import { wireName } from "../query.js";
import type { PlatformRoute } from "../routes.js";
import { datasetCards } from "./dataset-cards.js";
import { CONTRACT_VERSION, type ServiceFacts } from "./facts.js";
import { compactHealth, health } from "./health.js";

export interface PlatformParts {
  readonly operations: readonly RegisteredOperation[];
  readonly registry: SnapshotRegistry;
  readonly clock: Clock;
  readonly facts: ServiceFacts;
  readonly metrics: Metrics;
  /** Serves /metrics to other machines too. */
  readonly metricsPublic: boolean;
  /** False while the service is starting or stopping. */
  readonly isReady: () => boolean;
}

/** The paths beside the operations: health, metadata, documents, metrics. */
export function platformRoutes(parts: PlatformParts): readonly PlatformRoute[] {
  const { operations, registry, clock, facts } = parts;
  const served = new Set(operations.map(({ path }) => path));
  const labelled = (body: object): object => (facts.simulated ? { ...body, simulated: true } : body);
  const routes = [
    open("/livez", "Whether the process is alive", () => jsonAnswer(200, { status: "alive" })),
    open("/readyz", "Whether the service can answer", () =>
      parts.isReady() ? jsonAnswer(200, { status: "ready" }) : jsonAnswer(503, { status: "not ready" }),
    ),
    {
      ...keyed("/api/health", "Health of every dataset; with compact=1 a short form that needs no key", (exchange) =>
        jsonAnswer(200, isCompact(exchange) ? compactHealth(registry, facts) : health(registry, clock, facts)),
      ),
      isOpen: isCompact,
    },
    keyed("/api/version", "Versions of the service and its contract", () =>
      jsonAnswer(
        200,
        labelled({ name: "vigil", version: facts.version, contractVersion: CONTRACT_VERSION, store: facts.store }),
      ),
    ),
    keyed("/api/datasets", "A card for every stored dataset, with provenance", () =>
      jsonAnswer(200, labelled({ datasets: datasetCards(registry, operations) })),
    ),
    keyed("/api/catalog", "Every service group with what is served in it", () =>
      jsonAnswer(200, { groups: catalogue(served) }),
    ),
    open("/metrics", "Prometheus metrics; from loopback only, unless configured", (exchange) =>
      metricsAnswer(parts, exchange),
    ),
  ];
  const openapi = JSON.stringify(
    openApiDocument({
      operations,
      platform: [...routes.map(documented), selfDocumented],
      version: CONTRACT_VERSION,
      wireName,
    }),
  );
  return [
    ...routes,
    open("/openapi.json", selfDocumented.summary, () => ({
      status: 200,
      headers: { "Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-cache" },
      body: openapi,
    })),
  ];
}

const selfDocumented: PlatformPath = {
  path: "/openapi.json",
  summary: "This document",
  isOpen: true,
  contentType: "application/json",
};

function documented({ path, summary, isOpen }: PlatformRoute): PlatformPath {
  const contentType = path === "/metrics" ? "text/plain" : "application/json";
  return { path, summary, isOpen: isOpen === always, contentType };
}

const always = (): boolean => true;
const never = (): boolean => false;

type Answering = (exchange: Exchange) => Answer | Promise<Answer>;

function open(path: string, summary: string, answer: Answering): PlatformRoute {
  return { kind: "platform", path, summary, isOpen: always, answer };
}

function keyed(path: string, summary: string, answer: Answering): PlatformRoute {
  return { kind: "platform", path, summary, isOpen: never, answer };
}

function isCompact({ search }: Exchange): boolean {
  return new URLSearchParams(search).get("compact") === "1";
}

const LOOPBACK = /^(?:127\.|::1$|::ffff:127\.)/;

/** Hidden, not forbidden, to other machines. */
async function metricsAnswer({ metrics, metricsPublic }: PlatformParts, { call }: Exchange): Promise<Answer> {
  if (!metricsPublic && !LOOPBACK.test(call.remoteAddress)) throw failure("notFound", null);
  return {
    status: 200,
    headers: { "Content-Type": metrics.contentType, "Cache-Control": "no-store" },
    body: await metrics.text(),
  };
}
