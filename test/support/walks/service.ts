import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import type { AnyCollection } from "../../../src/contract/dataset.js";
import type { RegisteredOperation } from "../../../src/contract/operation.js";
import type { AnyDataset, AnyProduct } from "../../../src/contract/product.js";
import type {
  ProductCase,
  ServiceCases,
  StoredDatasetCase,
  TestedElsewhere,
} from "../../../src/contract/testing/service-cases.js";
import { loadServices } from "../../../src/services/registry.js";
import { walkAccountReads, walkWriteCases } from "./account.js";
import { walkDatasetFaults } from "./dataset-faults.js";
import { walkDeclarations } from "./declarations.js";
import { walkOnDemand } from "./on-demand.js";
import { walkProduct } from "./product.js";
import { walkStates } from "./states.js";
import { walkStreams } from "./streams.js";

const root = resolve(import.meta.dirname, "../../..");
const { operations, accountReads, streams, writes, allDatasets } = await loadServices();

const ownOperations = (service: string): readonly RegisteredOperation[] =>
  operations.filter((registered) => registered.service === service);

/**
 * Tests the operations of a service: examples, declarations, states, the faults of on-demand upstreams, account reads,
 * and streams.
 */
export function walkOperations(service: string, cases: ServiceCases): void {
  const filled = alwaysAwake(ownOperations(service));
  walkDeclarations(ownOperations(service), filled, cases.additions);
  for (const registered of ownOperations(service)) {
    const operationCase = cases.operations[registered.operation.rpc];
    if (operationCase?.kind === "stored") walkStates(registered, operationCase, filled);
    if (operationCase?.kind === "on-demand") walkOnDemand(registered, operationCase);
    if (operationCase?.kind === "elsewhere") walkElsewhere(registered.operation.rpc, operationCase);
  }
  const ownStreams = streams.filter((registered) => registered.service === service);
  if (ownStreams.length > 0) walkStreams(ownStreams);
  const ownReads = accountReads.filter((registered) => registered.service === service);
  const readCases = cases.accountReads ?? {};
  if (ownReads.length > 0) walkAccountReads(ownReads, readCases);
  for (const [rpc, readCase] of Object.entries(readCases)) {
    if (readCase.kind === "elsewhere") walkElsewhere(rpc, readCase);
  }
}

/** The names of the datasets that the operations read, except those that are built only after a request. */
function alwaysAwake(reading: readonly RegisteredOperation[]): readonly string[] {
  const reads = reading.flatMap(({ operation }) => Object.values<AnyDataset>(operation.reads));
  return [...new Set(reads.filter(({ awakeForMs }) => awakeForMs === undefined).map(({ name }) => name))];
}

/** Tests the writes of a service: a valid body, repeated calls, access, and the OpenAPI document. */
export function walkWrites(service: string, { writes: writeCases = {} }: ServiceCases): void {
  const ownWrites = writes.filter((registered) => registered.service === service);
  walkWriteCases(ownWrites, writeCases);
  for (const [rpc, writeCase] of Object.entries(writeCases)) {
    if (writeCase.kind === "elsewhere") walkElsewhere(rpc, writeCase);
  }
}

/** Tests the datasets of a service with every fault of their upstreams. */
export function walkDatasets(cases: ServiceCases): void {
  for (const [name, datasetCase] of Object.entries(cases.datasets)) {
    if (datasetCase.kind === "elsewhere") walkElsewhere(name.replace(/<.*/, ""), datasetCase);
    else if (datasetCase.kind === "product") walkProduct(productNamed(name), namesBeside(datasetCase), datasetCase);
    else walkDatasetFaults(collectionNamed(name), namesBeside(datasetCase), datasetCase);
  }
}

function walkElsewhere(name: string, { file }: TestedElsewhere): void {
  test(`the test file ${file} exists and mentions ${name}`, () => {
    const path = resolve(root, file);
    expect(existsSync(path) && readFileSync(path, "utf8").includes(name)).toBe(true);
  });
}

function collectionNamed(name: string): AnyCollection {
  const dataset = allDatasets.find((candidate) => candidate.name === name);
  if (dataset?.kind !== "collection") throw new Error(`no collection is called ${name}`);
  return dataset;
}

function productNamed(name: string): AnyProduct {
  const dataset = allDatasets.find((candidate) => candidate.name === name);
  if (dataset?.kind !== "product") throw new Error(`no product is called ${name}`);
  return dataset;
}

/** Names of all datasets that the operation of `shownBy` reads. */
function namesBeside({ shownBy }: StoredDatasetCase | ProductCase): readonly string[] {
  const registered = operations.find(({ path }) => path === shownBy.split("?")[0]);
  if (!registered) throw new Error(`no operation answers ${shownBy}`);
  return Object.values(registered.operation.reads as Readonly<Record<string, AnyDataset>>).map(({ name }) => name);
}
