import { randomUUID } from "node:crypto";
import { systemClock } from "../../../src/kit/clock.js";
import { seededRandom } from "../../../src/kit/random.js";
import { type Reply, send } from "./calls.js";
import type { ChaosNode } from "./nodes.js";
import { count, noteWrong, type Report } from "./report.js";
import { OPERATOR_KEY } from "./world.js";

/** An account of a run, with the ids of its acknowledged writes by name, and the names of all attempted writes. */
export interface ChaosAccount {
  readonly id: string;
  readonly key: string;
  readonly companies: Map<string, string>;
  readonly watches: Map<string, string>;
  readonly tried: Set<string>;
}

export interface WriterParts {
  readonly next: () => ChaosNode | undefined;
  readonly report: Report;
  readonly isOver: () => boolean;
  readonly pauseMs: number;
  /** Accounts in the order of their creation. */
  readonly accounts: ChaosAccount[];
}

const ACCOUNT = "/api/account/v1";
const COMPANIES = "/api/company-monitoring/v1/create-monitored-company";
const WATCHES = "/api/watches/v1/create-watch";
const PER_ACCOUNT = 60;
const RETRY_MS = 250;
/** Scopes of each account's key. */
const SCOPES = [
  "read",
  "account:write",
  "company_monitoring:read",
  "company_monitoring:write",
  "watches:read",
  "watches:write",
];

/** Repeats a write until it is acknowledged or refused, or until the run is over. */
async function untilSettled(
  { next, report, isOver }: WriterParts,
  path: string,
  key: string,
  body: unknown,
  idempotencyKey?: string,
): Promise<Reply | undefined> {
  const headers = {
    "x-service-key": key,
    ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
  };
  for (let attempt = 0; !isOver(); attempt += 1) {
    const node = next();
    if (node !== undefined) {
      const reply = await send(node, path, headers, body);
      if (attempt > 0) count(report, "repeated writes");
      if (!isUnsettled(reply)) return reply;
    }
    await systemClock.sleep(RETRY_MS);
  }
  return undefined;
}

/** True if the answer was lost, the store is unusable, or the first call with the idempotency key is still running. */
function isUnsettled({ status, body }: Reply): boolean {
  return status === undefined || status === 503 || (status === 409 && body.includes("idempotency_conflict"));
}

/**
 * Creates an account with a new random id, and a key of the account. After a lost answer, the call is repeated. If the
 * first call has already created the account, the repeated call gets a 409, which counts as success.
 */
export async function createAccount(parts: WriterParts): Promise<ChaosAccount | undefined> {
  const id = `chaos-${randomUUID()}`;
  const accountReply = await untilSettled(parts, `${ACCOUNT}/create-account`, OPERATOR_KEY, {
    id,
    name: id,
    plan: "enterprise",
  });
  if (accountReply === undefined) return undefined;
  if (accountReply.status !== 201 && accountReply.status !== 409) {
    noteWrong(parts.report, `create-account: ${accountReply.status} ${accountReply.body}`);
    return undefined;
  }
  const keyReply = await untilSettled(parts, `${ACCOUNT}/create-key`, OPERATOR_KEY, {
    name: "chaos",
    accountId: id,
    scopes: SCOPES,
  });
  if (keyReply === undefined) return undefined;
  if (keyReply.status !== 201) {
    noteWrong(parts.report, `create-key of ${id}: ${keyReply.status} ${keyReply.body}`);
    return undefined;
  }
  count(parts.report, "accounts");
  const { key } = JSON.parse(keyReply.body);
  const account = { id, key, companies: new Map(), watches: new Map(), tried: new Set<string>() };
  parts.accounts.push(account);
  return account;
}

/** Creates companies and watches until the run is over, and repeats some of the acknowledged writes. */
export async function keepWriting(parts: WriterParts, seed: number): Promise<void> {
  const random = seededRandom(seed);
  let account: ChaosAccount | undefined;
  for (let index = 0; !parts.isOver(); index += 1) {
    if (account === undefined || account.tried.size >= PER_ACCOUNT) account = await createAccount(parts);
    if (account === undefined) continue;
    const name = `${seed}-${index}`;
    const isWatch = random() < 0.15;
    const write = isWatch ? watchOf(name) : companyOf(name);
    await writeOnce(parts, account, write, random() < 0.3);
    await systemClock.sleep(parts.pauseMs * 2 * random());
  }
}

interface Write {
  readonly name: string;
  readonly path: string;
  readonly body: unknown;
  readonly status: number;
  readonly idOf: (body: string) => string;
  readonly acknowledged: (account: ChaosAccount) => Map<string, string>;
}

function companyOf(name: string): Write {
  return {
    name,
    path: COMPANIES,
    body: {
      clientRequestId: `request-${name}`,
      company: { name: `Chaos Company ${name}`, domicileCountry: "DOMICILE_COUNTRY_GB" },
    },
    status: 200,
    idOf: (body) => JSON.parse(body).company.companyId,
    acknowledged: ({ companies }) => companies,
  };
}

function watchOf(name: string): Write {
  const call = "/api/seismology/v1/list-earthquakes";
  return {
    name,
    path: WATCHES,
    body: { name: `Chaos Watch ${name}`, call, on: "WATCH_ON_NEW_ROWS" },
    status: 201,
    idOf: (body) => JSON.parse(body).watch.watchId,
    acknowledged: ({ watches }) => watches,
  };
}

async function writeOnce(parts: WriterParts, account: ChaosAccount, write: Write, isRepeated: boolean): Promise<void> {
  const { report } = parts;
  const idempotencyKey = randomUUID();
  account.tried.add(write.name);
  const reply = await untilSettled(parts, write.path, account.key, write.body, idempotencyKey);
  if (reply === undefined) return;
  if (reply.status !== write.status) {
    noteWrong(report, `${write.path} ${write.name}: ${reply.status} ${reply.body}`);
    return;
  }
  const id = write.idOf(reply.body);
  write.acknowledged(account).set(write.name, id);
  count(report, "acknowledged writes");
  if (!isRepeated) return;
  const repeat = await untilSettled(parts, write.path, account.key, write.body, idempotencyKey);
  if (repeat === undefined) return;
  count(report, "replays");
  if (repeat.status !== reply.status || repeat.body !== reply.body) {
    noteWrong(
      report,
      `the repeat of ${write.path} ${write.name} is ${repeat.status} ${repeat.body}, not ${reply.body}`,
    );
  }
}

/** Reads all pages of a list from one node. */
async function listed<T>(node: ChaosNode, key: string, path: string, member: string): Promise<readonly T[]> {
  const rows: T[] = [];
  for (let cursor = ""; ; ) {
    const target = `${path}?page_size=100${cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`}`;
    const reply = await send(node, target, { "x-service-key": key });
    if (reply.status !== 200) throw new Error(`${path} on ${node.name}: ${reply.status} ${reply.failure}${reply.body}`);
    const page = JSON.parse(reply.body);
    rows.push(...page[member]);
    if (page.nextCursor === "") return rows;
    cursor = page.nextCursor;
  }
}

/** Checks that every acknowledged write is stored, none is stored twice, and all stored writes were attempted. */
export async function checkWrites(node: ChaosNode, accounts: readonly ChaosAccount[], report: Report): Promise<void> {
  for (const account of accounts) {
    const companies = await listed<{ readonly name: string; readonly companyId: string }>(
      node,
      account.key,
      "/api/company-monitoring/v1/list-monitored-companies",
      "companies",
    );
    const watches = await listed<{ readonly name: string; readonly watchId: string }>(
      node,
      account.key,
      "/api/watches/v1/list-watches",
      "watches",
    );
    const stored = [
      ...companies.map(({ name, companyId }) => [name.replace("Chaos Company ", ""), companyId] as const),
      ...watches.map(({ name, watchId }) => [name.replace("Chaos Watch ", ""), watchId] as const),
    ];
    const byName = new Map(stored);
    if (byName.size !== stored.length) noteWrong(report, `${account.id}: a write was stored twice`);
    for (const [name, id] of [...account.companies, ...account.watches]) {
      if (byName.get(name) !== id)
        noteWrong(report, `${account.id}: ${name} was acknowledged as ${id}, but stored as ${byName.get(name)}`);
    }
    for (const name of byName.keys()) {
      if (!account.tried.has(name)) noteWrong(report, `${account.id}: ${name} was stored, but never attempted`);
    }
    count(report, "checked writes", stored.length);
  }
}
