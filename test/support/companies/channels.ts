import { OutwardFailure } from "../../../src/contract/outward.js";
import type { OutletEvents } from "../../../src/http/exchange.js";
import { openStreams, type Streams } from "../../../src/http/streams/streams.js";
import { SECOND_MS } from "../../../src/kit/clock.js";
import { manualClock } from "../../../src/kit/manual-clock.js";
import { seededRandom } from "../../../src/kit/random.js";
import { refusedWebhook } from "../../../src/kit/standard-webhook.js";
import { companyEventLog } from "../../../src/services/company-monitoring/changes/company-event-log.js";
import type { CompanyMaterialImpact } from "../../../src/services/company-monitoring/event-records.js";
import { listCompanyEventChanges } from "../../../src/services/company-monitoring/operations/list-company-event-changes.js";
import { listMonitoredCompanies } from "../../../src/services/company-monitoring/operations/list-monitored-companies.js";
import { takeTurn } from "../../../src/services/company-monitoring/store/account-turn.js";
import { companyLog } from "../../../src/services/company-monitoring/store/company-log.js";
import { appendImpact } from "../../../src/services/company-monitoring/store/impact-log.js";
import { companiesIn } from "../../../src/services/company-monitoring/store/tables.js";
import { REPLAYED_MAX } from "../../../src/services/webhooks/rules/limits.js";
import { fanOut } from "../../../src/services/webhooks/store/fan-out.js";
import { sendDue } from "../../../src/services/webhooks/store/send-due.js";
import {
  endpointTo,
  fakePost,
  type WebhookNode,
  webhookNode,
} from "../../../src/services/webhooks/store/testing/webhook-node.js";
import type { OpenStore } from "../stores.js";
import { type CompanyNode, companyNode } from "./company-node.js";
import { createCompanyTables } from "./company-tables.js";
import { nameOf, nextImpact } from "./impacts.js";

export interface ChannelOptions {
  readonly seed: number;
  readonly changes: number;
  readonly accounts: number;
  readonly rounds: number;
  /** Number of nodes, each with its own database connection, streams and webhook jobs. */
  readonly nodes: number;
  readonly consumersPerAccount: number;
}

/** Totals of a run, for its report. */
interface ChannelFigures {
  changes: number;
  polls: number;
  streams: number;
  /** Number of times that a consumer died and lost what it had not stored. */
  kills: number;
  killedNodes: number;
  refusedCursors: number;
  attempts: number;
  failedAttempts: number;
  replayed: number;
  readonly cursorKeys: Set<string>;
  rotatedSecrets: number;
}

export interface ChannelOutcome {
  readonly figures: ChannelFigures;
  /**
   * Ids of messages that were replayed, possibly out of order. Their deliveries had been given up as dead after three
   * days.
   */
  readonly replayedIds: ReadonlySet<string>;
  readonly accounts: readonly AccountOutcome[];
}

export interface AccountOutcome {
  readonly accountId: string;
  readonly isOrdered: boolean;
  /** The revisions of impacts in the order of the log. */
  readonly impacts: readonly string[];
  /** The entries that each consumer of polls and streams has stored. */
  readonly stored: readonly (readonly string[])[];
  /** The messages that the receiver has accepted, repeats included. */
  readonly received: readonly Message[];
}

export interface Message {
  readonly id: string;
  readonly name: string;
  readonly position: number;
  readonly companyId: string;
}

interface Node {
  readonly company: CompanyNode;
  readonly webhooks: WebhookNode;
  streams: Streams;
}

/** A client that stores its position together with its processed data, and switches between polls and streams. */
interface Consumer {
  readonly accountId: string;
  readonly stored: string[];
  cursor: string;
  position: number;
  stream: OpenStream | undefined;
}

interface OpenStream {
  /** Text that the stream has sent and the consumer has not processed yet. */
  inbox: string;
  isSlow: boolean;
  isEnded: boolean;
  events: OutletEvents | undefined;
}

interface Receiver {
  readonly isOrdered: boolean;
  readonly endpointId: string;
  readonly received: Message[];
  secrets: readonly string[];
}

const START = Date.UTC(2026, 10, 23);
const CHANGES_PER_WRITE_MAX = 20;
const POLLS_MAX = 4;
const KILL_SHARE = 0.15;
const HOUR_MS = 3_600 * SECOND_MS;

/**
 * Writes to the logs of all accounts. Meanwhile, consumers poll and stream these logs, and webhooks deliver the
 * changes. Consumers die, read slowly, and return on another channel or node. Receivers fail, hang, and accept a
 * message twice. Nodes die. The clock jumps, so cursor keys rotate and leases end. Secrets are rotated.
 */
export async function playChannels(store: OpenStore, options: ChannelOptions): Promise<ChannelOutcome> {
  const random = seededRandom(options.seed);
  const whole = (max: number): number => Math.floor(random() * max);
  const clock = manualClock(START);
  await createCompanyTables(store.database);
  const faults: unknown[] = [];
  const openedStreams = (company: CompanyNode): Streams => {
    const logs = [{ log: companyEventLog, reader: logOf(company).open(company.database.db) }];
    const onFault = (error: unknown): void => void faults.push(error);
    return openStreams({ logs, clock, random, perAccountMax: 1_000, onFault });
  };
  const nodes: Node[] = [];
  for (let at = 0; at < options.nodes; at += 1) {
    const database = at === 0 ? store.database : await store.openAgain();
    const company = companyNode(database, clock);
    const webhooks = await webhookNode(database, { clock, seed: at + 1 });
    nodes.push({ company, webhooks, streams: openedStreams(company) });
  }
  const nodeOf = (): Node => nodes[whole(nodes.length)] as Node;
  const figures: ChannelFigures = {
    changes: 0,
    polls: 0,
    streams: 0,
    kills: 0,
    killedNodes: 0,
    refusedCursors: 0,
    attempts: 0,
    failedAttempts: 0,
    replayed: 0,
    cursorKeys: new Set(),
    rotatedSecrets: 0,
  };
  const accounts = Array.from({ length: options.accounts }, (_, at) => `acc_${String(at).padStart(3, "0")}`);
  const consumers = await startConsumers(accounts, options.consumersPerAccount, nodeOf);
  const receivers = await startReceivers(accounts, nodeOf);
  const current = new Map<string, CompanyMaterialImpact[]>(accounts.map((accountId) => [accountId, []]));
  const replayedIds = new Set<string>();
  /** True once all changes are written; until then, nodes die and receivers fail. */
  let isCalm = false;

  async function write(count: number): Promise<void> {
    const accountId = accounts[whole(accounts.length)] ?? "";
    const impacts = Array.from({ length: count }, () => nextImpact(current.get(accountId) ?? [], clock.now(), random));
    await nodeOf()
      .company.database.db.transaction()
      .execute(async (transaction) => {
        const db = companiesIn(transaction);
        await takeTurn(db, accountId);
        for (const impact of impacts) await appendImpact(db, accountId, impact, clock.now());
      });
    figures.changes += count;
  }

  async function poll(consumer: Consumer): Promise<boolean> {
    figures.polls += 1;
    figures.cursorKeys.add(keyIn(consumer.cursor));
    const context = nodeOf().company.contextOf(consumer.accountId);
    const page = await listCompanyEventChanges
      .run({ cursor: consumer.cursor, pageSize: 1 + whole(100) }, context)
      .catch(() => undefined);
    if (page === undefined) {
      // The cursor has expired, but its position is still valid, so the consumer continues from there on a stream.
      figures.refusedCursors += 1;
      await connect(consumer);
      return false;
    }
    if (isKilled()) return true;
    consumer.cursor = page.nextCursor;
    consumer.position = positionIn(page.nextCursor);
    consumer.stored.push(...page.impacts.map(nameOf));
    return page.impacts.length > 0;
  }

  function isKilled(): boolean {
    // The first consumer that gets here always dies, so that every run has a death.
    const isDead = !isCalm && (figures.kills === 0 || random() < KILL_SHARE);
    if (isDead) figures.kills += 1;
    return isDead;
  }

  async function connect(consumer: Consumer): Promise<void> {
    figures.streams += 1;
    const { accountId, position } = consumer;
    const { streams } = nodeOf();
    const stream: OpenStream = { inbox: "", isSlow: !isCalm && random() < 0.3, isEnded: false, events: undefined };
    const isAllowed = async (): Promise<boolean> => true;
    const follow = await streams.open({ log: companyEventLog, accountId, place: { position }, filters: {}, isAllowed });
    stream.events = follow({
      send(text) {
        if (stream.isEnded) throw new Error("sent after the end");
        stream.inbox += text;
        return !stream.isSlow;
      },
      end() {
        stream.isEnded = true;
        queueMicrotask(() => stream.events?.closed());
      },
    });
    consumer.stream = stream;
  }

  /** Stores the data that has arrived, unless the consumer dies before that. */
  function process(consumer: Consumer, stream: OpenStream): void {
    const isDead = isKilled();
    if (!isDead) {
      for (const { position, impact, nextCursor } of eventsIn(stream.inbox)) {
        if (impact) consumer.stored.push(nameOf(impact));
        consumer.position = position;
        consumer.cursor = nextCursor;
      }
      stream.inbox = "";
    }
    const leaves = isDead || (!isCalm && random() < 0.1);
    if (leaves && !stream.isEnded) {
      stream.isEnded = true;
      stream.events?.closed();
    }
    if (stream.isEnded) consumer.stream = undefined;
    else if (stream.isSlow) stream.events?.drained();
  }

  async function act(consumer: Consumer): Promise<void> {
    if (consumer.stream) process(consumer, consumer.stream);
    else if (random() < 0.5) await connect(consumer);
    else for (let polls = 0; polls < POLLS_MAX && (await poll(consumer)) && !consumer.stream; polls += 1);
  }

  /** Receives a message. Sometimes does not answer, or answers with an error, even after accepting the message. */
  function receive(url: string, id: string, headers: Readonly<Record<string, string>>, body: string): number {
    figures.attempts += 1;
    const receiver = receivers.get(new URL(url).pathname.slice(1));
    if (receiver === undefined) throw new Error(`no receiver at ${url}`);
    const luck = isCalm ? 1 : random();
    if (luck < 0.3) figures.failedAttempts += 1;
    if (luck < 0.1) return 500;
    if (luck < 0.2) throw new OutwardFailure("no answer within 15 s");
    const refusal = refusedWebhook(headers, body, receiver.secrets, clock.now());
    if (refusal !== undefined) throw new Error(refusal);
    const { position, impact } = JSON.parse(body).data;
    receiver.received.push({ id, name: nameOf(impact), position, companyId: impact.companyId });
    return luck < 0.3 ? 502 : 200;
  }

  async function deliver(): Promise<void> {
    const { webhooks, company } = nodeOf();
    const logs = [{ log: companyEventLog, reader: logOf(company).open(company.database.db) }];
    const dying = new AbortController();
    await fanOut(webhooks.parts, logs, dying.signal);
    let left = isCalm || random() > 0.2 ? Number.POSITIVE_INFINITY : whole(20);
    const post = fakePost(clock, ({ url, id, headers, body }) => {
      left -= 1;
      // The process dies: none of its unfinished work is stored.
      if (left < 0) dying.abort(new Error("the node was killed"));
      dying.signal.throwIfAborted();
      return receive(url, id, headers, body);
    });
    await sendDue(webhooks.parts, { post, signal: dying.signal });
  }

  async function rotateSecret(): Promise<void> {
    const accountId = accounts[whole(accounts.length)] ?? "";
    const receiver = receivers.get(accountId);
    if (receiver === undefined) return;
    const rotated = await nodeOf().webhooks.inCall(
      ({ endpoints }) => endpoints.rotateSecret(receiver.endpointId),
      accountId,
    );
    // The receiver still accepts the secret that was current until this rotation.
    if (rotated) receiver.secrets = [...receiver.secrets.slice(-1), rotated.secret];
    figures.rotatedSecrets += 1;
  }

  function killNode(): void {
    const node = nodeOf();
    node.streams.close();
    node.streams = openedStreams(node.company);
    figures.killedNodes += 1;
  }

  /** Advances the clock and lets the event loop run, so that streams see the written changes. */
  async function pass(ms: number): Promise<void> {
    clock.advance(ms);
    for (let turns = 0; turns < 10; turns += 1) await new Promise((resolve) => setImmediate(resolve));
  }

  for (let round = 0; round < options.rounds; round += 1) {
    const until = Math.ceil((options.changes * (round + 1)) / options.rounds);
    while (figures.changes < until) {
      await write(Math.min(1 + whole(CHANGES_PER_WRITE_MAX), until - figures.changes));
      if (random() < 0.2) await pass(SECOND_MS / 2);
      if (random() < 0.2) for (let acts = 0; acts < consumers.length / 4; acts += 1) await act(any(consumers, whole));
    }
    await deliver();
    if (round % 3 === 1) killNode();
    if (round % 2 === 1) await rotateSecret();
    await pass(Math.floor(random() * (random() < 0.5 ? HOUR_MS : 20 * HOUR_MS)));
  }

  isCalm = true;
  const owned = new Map<string, readonly string[]>();
  for (const accountId of accounts) owned.set(accountId, await namesIn(store, accountId));
  const isDone = (consumer: Consumer): boolean =>
    consumer.stored.length >= (owned.get(consumer.accountId)?.length ?? 0);
  for (let turns = 0; turns < 5_000 && !consumers.every(isDone); turns += 1) {
    for (const consumer of consumers) if (!isDone(consumer)) await act(consumer);
    await pass(SECOND_MS / 2);
  }
  await deliverRest();
  for (const node of nodes) node.streams.close();
  if (faults.length > 0) throw new AggregateError(faults, "streams met faults");
  return {
    figures,
    replayedIds,
    accounts: accounts.map((accountId) => {
      const { isOrdered = false, received = [] } = receivers.get(accountId) ?? {};
      const stored = consumers.filter((consumer) => consumer.accountId === accountId).map((each) => each.stored);
      return { accountId, isOrdered, impacts: owned.get(accountId) ?? [], stored, received };
    }),
  };

  /** Sends due messages, and replays dead deliveries, until no delivery is pending or dead. */
  async function deliverRest(): Promise<void> {
    for (let turns = 0; turns < 2_000; turns += 1) {
      await deliver();
      let pending = 0;
      for (const [accountId, { endpointId }] of receivers) {
        const { webhooks } = nodeOf();
        const dead = { endpointId, states: ["dead"], before: "", rowsMax: REPLAYED_MAX };
        for (const { deliveryId } of await webhooks.inCall(({ deliveries }) => deliveries.list(dead), accountId)) {
          replayedIds.add(deliveryId);
        }
        const replay = await webhooks.inCall(({ deliveries }) => deliveries.replay(endpointId, undefined), accountId);
        figures.replayed += replay?.replayedCount ?? 0;
        const [endpoint] = await webhooks.inCall(({ endpoints }) => endpoints.list(), accountId);
        pending += (endpoint?.pendingCount ?? 0) + (replay?.deadCount ?? 0);
      }
      if (pending === 0) return;
      await pass(10 * 60 * SECOND_MS);
    }
    throw new Error("deliveries are left");
  }
}

function logOf({ database, clock }: CompanyNode) {
  // The cast is safe, because a log reads none of the missing parts.
  return companyLog({ database, clock, vault: undefined, count: () => undefined } as never);
}

async function startConsumers(
  accounts: readonly string[],
  perAccount: number,
  nodeOf: () => Node,
): Promise<readonly Consumer[]> {
  const consumers: Consumer[] = [];
  for (const accountId of accounts) {
    for (let at = 0; at < perAccount; at += 1) {
      const query = { lifecycle: [], coverage: [], pageSize: 1, cursor: "" };
      const { snapshot } = await listMonitoredCompanies.run(query, nodeOf().company.contextOf(accountId));
      consumers.push({ accountId, stored: [], cursor: snapshot.pollCursor, position: 0, stream: undefined });
    }
  }
  return consumers;
}

/** Creates one endpoint for each account. The endpoint of every second account is ordered. */
async function startReceivers(accounts: readonly string[], nodeOf: () => Node): Promise<ReadonlyMap<string, Receiver>> {
  const receivers = new Map<string, Receiver>();
  for (const [at, accountId] of accounts.entries()) {
    const isOrdered = at % 2 === 0;
    const endpoint = {
      ...endpointTo(`https://receiver.example/${accountId}`),
      order: isOrdered ? ("WEBHOOK_ORDER_PER_SUBJECT" as const) : ("WEBHOOK_ORDER_UNORDERED" as const),
      positions: new Map([[companyEventLog.event, 0]]),
    };
    const created = await nodeOf().webhooks.inCall(({ endpoints }) => endpoints.create(endpoint), accountId);
    if (created === "too many") throw new Error("the account has too many endpoints");
    const { secret, endpoint: createdEndpoint } = created;
    receivers.set(accountId, { isOrdered, endpointId: createdEndpoint.endpointId, received: [], secrets: [secret] });
  }
  return receivers;
}

function any<T>(items: readonly T[], whole: (max: number) => number): T {
  return items[whole(items.length)] as T;
}

function claimsIn(cursor: string): { readonly k: string; readonly w: number } {
  return JSON.parse(Buffer.from(cursor.split(".")[1] ?? "", "base64url").toString());
}
const keyIn = (cursor: string): string => claimsIn(cursor).k;
const positionIn = (cursor: string): number => claimsIn(cursor).w;

interface StreamedData {
  readonly position: number;
  readonly nextCursor: string;
  readonly impact?: CompanyMaterialImpact;
}

function eventsIn(text: string): readonly StreamedData[] {
  return text.split("\n").flatMap((line) => (line.startsWith("data: ") ? [JSON.parse(line.slice(6))] : []));
}

/** The revisions of an account's impacts in the order of its log. */
async function namesIn({ database }: OpenStore, accountId: string): Promise<readonly string[]> {
  const rows = await companiesIn(database.db)
    .selectFrom("company_impact")
    .select("body")
    .where("account_id", "=", accountId)
    .orderBy("visible_from")
    .execute();
  return rows.map(({ body }) => nameOf(JSON.parse(body)));
}
