import type { RegisteredAccountRead } from "../../../src/contract/account-read.js";
import type { RegisteredOperation } from "../../../src/contract/operation.js";
import type { AnyDataset } from "../../../src/contract/product.js";
import type { RegisteredStream } from "../../../src/contract/stream.js";
import type { ServiceCases } from "../../../src/contract/testing/service-cases.js";
import type { RegisteredWrite } from "../../../src/contract/write.js";

/** Declarations, and the test cases that go with them. */
export interface Declared {
  readonly operations: readonly RegisteredOperation[];
  readonly accountReads: readonly RegisteredAccountRead[];
  readonly streams: readonly RegisteredStream[];
  readonly writes: readonly RegisteredWrite[];
  readonly datasets: readonly AnyDataset[];
  /** The cases of each service by folder; undefined for a service without cases. */
  readonly cases: Readonly<Record<string, ServiceCases | undefined>>;
}

/** Returns a sentence for each missing example, missing case and wrong case; empty if there is none. */
export function missingCases(declared: Declared): readonly string[] {
  const { operations, accountReads, streams, writes, datasets, cases } = declared;
  const reading = [...operations, ...accountReads, ...streams].map(({ service }) =>
    missingFile(service, "operations.test.ts"),
  );
  const writing = writes.map(({ service }) => missingFile(service, "writes.test.ts"));
  const withoutFile = [...reading, ...writing].filter(({ service }) => cases[service] === undefined);
  const existing = Object.entries(cases).flatMap(([service, own]) => (own ? [[service, own] as const] : []));
  return [
    ...new Set(withoutFile.map(({ sentence }) => sentence)),
    ...accountReads.flatMap((registered) => missingAccountRead(registered, cases[registered.service])),
    ...writes.flatMap((registered) => missingWrite(registered, cases[registered.service])),
    ...operations.flatMap((registered) => missingOperation(registered, cases[registered.service])),
    ...[...new Map(datasets.map((dataset) => [caseName(dataset), dataset])).values()].flatMap((dataset) =>
      missingDataset(dataset, existing),
    ),
    ...existing.flatMap(([service, own]) => unknownNames(service, own, declared)),
  ];
}

const fileOf = (service: string): string => `src/services/${service}/testing/cases.ts`;

const missingFile = (service: string, testFile: string) => ({
  service,
  sentence: `the service ${service} has no test cases: export \`cases\` from ${fileOf(service)}, and test them in src/services/${service}/${testFile}`,
});

function missingAccountRead({ service, read }: RegisteredAccountRead, cases?: ServiceCases): readonly string[] {
  const name = `${service}/${read.rpc}`;
  return [
    ...(read.examples.length === 0
      ? [`the account read ${name} has no example: add one query to \`examples\` of its declaration`]
      : []),
    ...(cases?.accountReads?.[read.rpc] === undefined
      ? [
          `the account read ${name} has no test case: in \`accountReads\` of ${fileOf(service)}, add members of its answer`,
        ]
      : []),
  ];
}

function missingWrite({ service, write }: RegisteredWrite, cases?: ServiceCases): readonly string[] {
  if (cases?.writes?.[write.rpc] !== undefined) return [];
  return [
    `the write ${service}/${write.rpc} has no test case: in \`writes\` of ${fileOf(service)}, add a body that succeeds, and members of the answer`,
  ];
}

function missingOperation({ service, operation }: RegisteredOperation, cases?: ServiceCases): readonly string[] {
  const name = `${service}/${operation.rpc}`;
  const missing: string[] = [];
  if (operation.examples.length === 0) {
    missing.push(`the operation ${name} has no example: add one query to \`examples\` of its declaration`);
  }
  const own = cases?.operations[operation.rpc];
  const kind = operation.fetches ? "on-demand" : "stored";
  if (own === undefined) {
    missing.push(
      kind === "stored"
        ? `the operation ${name} has no test case: in \`operations\` of ${fileOf(service)}, add the body that it answers while nothing is stored`
        : `the operation ${name} has no test case: in \`operations\` of ${fileOf(service)}, add its upstreams, and the body that it answers after a failed read`,
    );
  } else if (own.kind !== "elsewhere" && own.kind !== kind) {
    missing.push(`the operation ${name} is ${kind}, and its case in ${fileOf(service)} says ${own.kind}`);
  }
  return missing;
}

/** Datasets of one family share a case. */
const caseName = ({ name, family }: AnyDataset): string => family?.name ?? name;

function missingDataset(
  dataset: AnyDataset,
  cases: readonly (readonly [service: string, cases: ServiceCases])[],
): readonly string[] {
  const name = caseName(dataset);
  const owners = cases.filter(([, own]) => own.datasets[name] !== undefined);
  if (owners.length > 1) {
    return [`the dataset ${name} has cases in ${owners.map(([service]) => service).join(" and ")}; keep one`];
  }
  const own = owners[0]?.[1].datasets[name];
  if (dataset.kind === "product") {
    const lacks = own === undefined || own.kind === "stored";
    return lacks
      ? [`the product ${name} has no test case: add \`shownBy\` to \`datasets\` in testing/cases.ts of its service`]
      : [];
  }
  if (own === undefined || own.kind === "product") {
    return [
      `the dataset ${name} has no fault case: add \`shownBy\` and \`feeds\` to \`datasets\` in testing/cases.ts of its service`,
    ];
  }
  if (own.kind === "elsewhere") return [];
  const missing =
    own.feeds.length === 0 ? [`the dataset ${name} has no feed in its case: add the upstreams of its faults`] : [];
  const declared = Object.keys(dataset.parts);
  const strange = [...Object.keys(own.parts ?? {}), ...(own.likeTested ?? [])].filter(
    (part) => !declared.includes(part),
  );
  return [
    ...missing,
    ...strange.map((part) => `the case of the dataset ${name} names ${part}, which is not one of its parts`),
  ];
}

function unknownNames(
  service: string,
  cases: ServiceCases,
  { operations, accountReads, writes, datasets }: Declared,
): readonly string[] {
  const isOwn = (registered: { readonly service: string }): boolean => registered.service === service;
  const rpcs = new Set(operations.filter(isOwn).map(({ operation }) => operation.rpc));
  const readRpcs = new Set(accountReads.filter(isOwn).map(({ read }) => read.rpc));
  const writeRpcs = new Set(writes.filter(isOwn).map(({ write }) => write.rpc));
  const names = new Set(datasets.map(caseName));
  return [
    ...Object.keys(cases.operations).filter((rpc) => !rpcs.has(rpc)),
    ...Object.keys(cases.accountReads ?? {}).filter((rpc) => !readRpcs.has(rpc)),
    ...Object.keys(cases.writes ?? {}).filter((rpc) => !writeRpcs.has(rpc)),
    ...Object.keys(cases.datasets).filter((name) => !names.has(name)),
  ].map((name) => `${fileOf(service)} has a case for ${name}, which is not declared`);
}
