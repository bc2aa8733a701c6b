import type { RegisteredAccountRead } from "../../contract/account-read.js";
import { catalogue } from "../../contract/catalogue.js";
import { failure } from "../../contract/failures.js";
import type { RegisteredLinkedFeed } from "../../contract/linked-feed.js";
import { openApiDocument, type PlatformPath } from "../../contract/openapi.js";
import type { RegisteredOperation } from "../../contract/operation.js";
import type { RegisteredGroup } from "../../contract/service-group.js";
import type { RegisteredStream } from "../../contract/stream.js";
import type { RegisteredWrite } from "../../contract/write.js";
import type { PublishedProofKey } from "../../database/proof-keys.js";
import { type ClientAddress, isOnThisMachine } from "../client-address.js";
import { consoleAnswer, consoleRoutes } from "../console/routes.js";
import { SEARCH_PATH } from "../documents/document-layout.js";
import { documentRoutes, GUIDE_PATH } from "../documents/routes.js";
import type { PlatformRoute } from "../exchange.js";
import { type Answer, type Exchange, jsonAnswer } from "../exchange.js";
import type { Metrics } from "../metrics.js";
import { wireName } from "../query.js";
import { DatasetCards } from "./answers/dataset-cards.js";
import { DatasetHistoryPage } from "./answers/dataset-history.js";
import { Catalogue, Liveness, OpenApi, ProofKeys, Readiness, Start, Version } from "./answers/documents.js";
import { Health } from "./answers/health.js";
import { datasetCards } from "./dataset-cards.js";
import { type DatasetHistoryParts, HISTORY_PATH, historyAnswer, historyParameters } from "./dataset-history.js";
import { demoAnswers, exampleBodies } from "./demo-answers.js";
import { CONTRACT_VERSION, type ServiceFacts } from "./facts.js";
import { compactHealth, health } from "./health.js";
import { llmsText } from "./llms-text.js";
import { forCaller } from "./operator-only.js";
import { REFERENCE_SCRIPT_PATH, referencePage } from "./reference-page.js";
import { startAnswer } from "./start-answer.js";
import { staticAnswer } from "./static-answer.js";
import { type WellKnownParts, wellKnownAnswers, wellKnownPaths } from "./well-known.js";

const JSON_TYPE = "application/json";
const PROOF_KEYS_PATH = "/.well-known/vigil-keys.json";

export interface PlatformParts extends DatasetHistoryParts, WellKnownParts {
  readonly groups: readonly RegisteredGroup[];
  readonly operations: readonly RegisteredOperation[];
  readonly accountReads: readonly RegisteredAccountRead[];
  readonly streams: readonly RegisteredStream[];
  readonly linkedFeeds: readonly RegisteredLinkedFeed[];
  readonly writes: readonly RegisteredWrite[];
  /** Documentation of platform paths that other modules answer. */
  readonly elsewhere: readonly PlatformPath[];
  readonly facts: ServiceFacts;
  readonly metrics: Metrics;
  /** Called for a file that could not be compressed. */
  readonly onFault: (error: unknown) => void;
  /** Reads the keys that have signed heads of the Merkle log. */
  readonly proofKeys: () => Promise<readonly PublishedProofKey[]>;
  /** True to serve /metrics to every caller. */
  readonly metricsPublic: boolean;
  readonly clientAddress: ClientAddress;
  /** The reason why the service is not ready, as a public sentence; undefined while it is ready. */
  readonly notReady: () => string | undefined;
}

/** The documentation of the platform paths. */
export const platformPaths: readonly PlatformPath[] = [
  {
    path: "/",
    operationId: "start",
    summary: "The console, or the addresses of the documents",
    description: "`Accept: text/html` asks for the console.",
    isOpen: true,
    contentType: JSON_TYPE,
    answer: Start,
  },
  {
    path: "/livez",
    operationId: "livez",
    summary: "Liveness of the process",
    description: "Answers while the process runs.",
    isOpen: true,
    contentType: JSON_TYPE,
    answer: Liveness,
  },
  {
    path: "/readyz",
    operationId: "readyz",
    summary: "Readiness of the service",
    description: "Answers 503 while the service is starting or stopping, or cannot use its store.",
    isOpen: true,
    contentType: JSON_TYPE,
    answer: Readiness,
    failures: ["notReady"],
  },
  {
    path: "/api/health",
    operationId: "health",
    summary: "State of every dataset",
    description:
      "Each dataset with its times, state and last error. `compact=1` needs no key and has only the overall status, the number of datasets in each state and the state of the store.",
    isOpen: false,
    contentType: JSON_TYPE,
    answer: Health,
    parameters: [{ name: "compact", description: "1 for the short form", schema: { type: "string", enum: ["1"] } }],
  },
  {
    path: "/api/version",
    operationId: "version",
    summary: "Versions of the service and of the contract",
    description: "The version of the service, the version of its contract, and the kind of store.",
    isOpen: false,
    contentType: JSON_TYPE,
    answer: Version,
  },
  {
    path: "/api/datasets",
    operationId: "datasets",
    summary: "A card for every stored dataset",
    description: "Each dataset's sources with their licences, and its cadence, gate, gaps and state.",
    isOpen: false,
    contentType: JSON_TYPE,
    answer: DatasetCards,
    parameters: [
      { name: "name", description: "Only this dataset, with all its provenance", schema: { type: "string" } },
    ],
  },
  {
    path: HISTORY_PATH,
    operationId: "dataset-history",
    summary: "History of a dataset, newest first",
    description:
      "Each kept generation with its times, record counts, changed rows by part and the upstream answers behind it, and each failed run with its reason. The first page adds the availability of each UTC day. `Accept: application/link-format` asks for the generations as a TimeMap (RFC 7089).",
    isOpen: false,
    contentType: JSON_TYPE,
    answer: DatasetHistoryPage,
    rows: "entries",
    parameters: historyParameters,
    failures: ["validation", "itemNotFound"],
  },
  {
    path: "/api/catalog",
    operationId: "catalog",
    summary: "Every service group with its operations",
    description: "The 33 groups of the contract and, separately, company monitoring.",
    isOpen: false,
    contentType: JSON_TYPE,
    answer: Catalogue,
  },
  {
    path: PROOF_KEYS_PATH,
    operationId: "proof-keys",
    summary: "Public keys of signed heads and answers",
    description:
      "Every key that signs, or has signed, answers and heads of the log of generations: JSON Web Keys (Ed25519) with `validFrom` and `validUntil` in epoch ms.",
    isOpen: true,
    contentType: JSON_TYPE,
    answer: ProofKeys,
    failures: ["notReady"],
  },
  ...wellKnownPaths,
  {
    path: "/metrics",
    operationId: "metrics",
    summary: "Prometheus metrics",
    description:
      "Open to callers on the same machine. If the operator allows it, the path is open to everyone; otherwise, other callers need the operator's key and get a 404 without it.",
    isOpen: true,
    contentType: "text/plain",
    failures: ["notFound"],
  },
  {
    path: "/openapi.json",
    operationId: "openapi",
    summary: "The OpenAPI document",
    description: "OpenAPI 3.1.",
    isOpen: true,
    contentType: JSON_TYPE,
    answer: OpenApi,
  },
  {
    path: "/llms.txt",
    operationId: "llms-txt",
    summary: "Description of the service for agents, on one page",
    description: "Every operation with its parameters, its answer and an example of a projection.",
    isOpen: true,
    contentType: "text/plain",
  },
  {
    path: "/docs",
    operationId: "reference",
    summary: "The reference page of the OpenAPI document",
    description: "An HTML page that shows the OpenAPI document. It needs JavaScript.",
    isOpen: true,
    contentType: "text/html",
  },
  {
    path: GUIDE_PATH,
    operationId: "guide",
    summary: "Index of the documents",
    description:
      "A page with links to all others. `Accept: text/markdown`, or `.md` after the path of a page, asks for Markdown.",
    isOpen: true,
    contentType: "text/html",
  },
  {
    path: SEARCH_PATH,
    operationId: "docs-search",
    summary: "Search of the documents",
    description: "An HTML page with at most 20 matching sections, best first.",
    isOpen: true,
    contentType: "text/html",
    parameters: [
      { name: "q", description: "Words, at most 100 characters", schema: { type: "string", maxLength: 100 } },
    ],
  },
  {
    path: REFERENCE_SCRIPT_PATH,
    operationId: "reference-script",
    summary: "Script of the reference page",
    description: "The JavaScript that shows the OpenAPI document.",
    isOpen: true,
    contentType: "text/javascript",
  },
];

const pathsOfEveryNode: ReadonlySet<string> = new Set(["/livez", "/readyz", "/api/health", "/metrics"]);

/** True for the monitoring paths, the only platform paths of a node that only ingests. */
export function isOfEveryNode({ path }: PlatformRoute): boolean {
  return pathsOfEveryNode.has(path);
}

/** The routes of the platform paths: health, metadata, documents, metrics. */
export function platformRoutes(parts: PlatformParts): readonly PlatformRoute[] {
  const page = consoleAnswer(parts.facts.simulated, parts.onFault);
  const answers = answersOf(parts, page);
  const opening: Readonly<Record<string, (exchange: Exchange) => boolean>> = {
    "/api/health": isCompact,
    // Also open to calls without a credential: those that may not read the metrics get a 404 instead of a 401.
    "/metrics": (exchange) => isMetricsOpen(parts, exchange) || !bringsCredential(exchange),
  };
  const documents = documentRoutes(parts.facts.simulated, parts.onFault);
  const pages = new Set(documents.map(({ path }) => path));
  const others = platformPaths.filter(({ path }) => !pages.has(path));
  const routes = others.map(({ path, isOpen }): PlatformRoute => {
    const answer = answers[path];
    if (!answer) throw new Error(`nothing answers ${path}`);
    return { kind: "platform", path, isOpen: opening[path] ?? (isOpen ? always : never), answer };
  });
  return [...documents, ...consoleRoutes(page, parts.onFault), ...routes];
}

function answersOf(
  parts: PlatformParts,
  page: (exchange: Exchange) => Promise<Answer>,
): Readonly<Record<string, Answering>> {
  const { groups, operations, accountReads, streams, linkedFeeds, writes, registry, clock, facts } = parts;
  const labelled = (body: object): object => (facts.simulated ? { ...body, simulated: true } : body);
  const versions = { name: "vigil", version: facts.version, contractVersion: CONTRACT_VERSION, store: facts.store };
  const reference = referencePage();
  const openapi = (): string =>
    JSON.stringify(
      openApiDocument({
        groups,
        operations,
        accountReads,
        streams,
        linkedFeeds,
        writes,
        platform: [...platformPaths, ...parts.elsewhere],
        version: CONTRACT_VERSION,
        wireName,
        examples: exampleBodies(demoAnswers),
      }),
    );
  /** Answers with a document that is generated only at its first request, because most processes never serve it. */
  const written = (contentType: string, write: () => string): Answering => {
    let document: Answer | undefined;
    return staticAnswer(() => {
      document ??= { ...textHeaders(contentType), body: write() };
      return document;
    }, parts.onFault);
  };
  return {
    "/livez": () => jsonAnswer(200, { status: "alive" }),
    "/readyz": () => {
      const reason = parts.notReady();
      if (reason !== undefined) throw failure("notReady", { reason });
      return jsonAnswer(200, { status: "ready" });
    },
    "/api/health": async (exchange) =>
      jsonAnswer(
        200,
        isCompact(exchange)
          ? compactHealth(registry, facts)
          : forCaller(await health(registry, clock, facts), exchange),
      ),
    "/api/version": () => jsonAnswer(200, labelled(versions)),
    "/api/datasets": (exchange) =>
      jsonAnswer(
        200,
        labelled(forCaller({ datasets: datasetCards(registry, operations, nameIn(exchange), clock.now()) }, exchange)),
      ),
    [HISTORY_PATH]: (exchange) => historyAnswer(parts, exchange, labelled),
    "/api/catalog": () =>
      jsonAnswer(200, labelled(catalogue(groups, { operations, accountReads, streams, linkedFeeds, writes }))),
    ...wellKnownAnswers(parts),
    [PROOF_KEYS_PATH]: async () => jsonAnswer(200, { keys: await parts.proofKeys() }),
    "/": startAnswer({ version: facts.version, simulated: facts.simulated, console: page }),
    "/llms.txt": written("text/plain", () => llmsText(groups, operations, demoAnswers)),
    "/docs": staticAnswer(reference.page, parts.onFault),
    [REFERENCE_SCRIPT_PATH]: staticAnswer(reference.script, parts.onFault),
    "/metrics": (exchange) => metricsAnswer(parts, exchange),
    "/openapi.json": written("application/json", openapi),
  };
}

function textHeaders(contentType: string): Omit<Answer, "body"> {
  return { status: 200, headers: { "Content-Type": `${contentType}; charset=utf-8`, "Cache-Control": "no-cache" } };
}

const always = (): boolean => true;
const never = (): boolean => false;

type Answering = (exchange: Exchange) => Answer | Promise<Answer>;

function isCompact({ search }: Exchange): boolean {
  return new URLSearchParams(search).get("compact") === "1";
}

function nameIn({ search }: Exchange): string | undefined {
  return new URLSearchParams(search).get("name") || undefined;
}

/**
 * Returns true if the call needs no key for metrics: because of the setting, or because the caller is on this machine.
 */
function isMetricsOpen({ metricsPublic, clientAddress }: PlatformParts, { call }: Exchange): boolean {
  return metricsPublic || isOnThisMachine(clientAddress, call.remoteAddress, call.header("x-forwarded-for"));
}

function bringsCredential({ call }: Exchange): boolean {
  return ["x-service-key", "x-api-key", "authorization", "cookie"].some((name) => call.header(name) !== undefined);
}

/** Answers 404 instead of 403 to callers who may not read the metrics. */
async function metricsAnswer(parts: PlatformParts, exchange: Exchange): Promise<Answer> {
  const { metrics } = parts;
  if (!isMetricsOpen(parts, exchange) && exchange.principal?.isOperator !== true) throw failure("notFound", null);
  return {
    status: 200,
    headers: { "Content-Type": metrics.contentType, "Cache-Control": "no-store" },
    body: await metrics.text(),
  };
}
