import { OutwardFailure, type PostOutward } from "../../../contract/outward.js";
import type { StoreParts } from "../../../database/service-store.js";
import { SECOND_MS } from "../../../kit/clock.js";
import { signedHeaders } from "../../../kit/standard-webhook.js";
import { endpointTurns } from "../rules/endpoint-turns.js";
import { ENDPOINTS_MAX } from "../rules/limits.js";
import { sendPlaces } from "../rules/send-places.js";
import { privateTargets } from "../settings.js";
import { type ClaimedDelivery, claimDue, type DueEndpoint, dueEndpoints, releaseClaims } from "./claim.js";
import { type EndedAttempt, storeOutcome } from "./outcome.js";
import { liveSecrets } from "./secrets.js";
import { type WebhookDatabase, webhooksIn } from "./tables.js";

/** Longest wait before the next look for due deliveries, while others are being sent. */
const LOOK_MS = SECOND_MS / 4;
const LEASE_BYTES = 16;

export interface SendTools {
  readonly post: PostOutward;
  readonly signal: AbortSignal;
}

/**
 * Sends due deliveries until none is left. Endpoints take turns, each with a few attempts at a time. An account has
 * only a share of the attempts of all its endpoints together, so that slow receivers do not delay other accounts. A turn
 * of an account goes to the endpoint whose last turn is oldest. When the process stops, deliveries whose attempts have
 * no outcome are released.
 */
export async function sendDue(parts: StoreParts, tools: SendTools): Promise<void> {
  const { signal } = tools;
  const round = new SendRound(parts, tools);
  try {
    while (!signal.aborted && (await round.claim())) await round.progress();
  } finally {
    await round.settle();
  }
  round.throwFaults();
}

/** The attempts in progress on this node. */
class SendRound {
  private readonly parts: StoreParts;
  private readonly tools: SendTools;
  private readonly lease: string;
  private readonly underWay = new Set<Promise<void>>();
  private readonly places = sendPlaces();
  private readonly turns = endpointTurns();
  private readonly faults: unknown[] = [];
  /** Id of the endpoint found last whose account has had its turn. */
  private after = "";

  constructor(parts: StoreParts, tools: SendTools) {
    this.parts = parts;
    this.tools = tools;
    this.lease = parts.randomBytes(LEASE_BYTES).toString("hex");
  }

  /** Claims due deliveries and starts to send them. Returns false once nothing is due or in progress. */
  async claim(): Promise<boolean> {
    const db = webhooksIn(this.parts.database.db);
    const endpointsMax = this.places.free();
    if (endpointsMax <= 0) return true;
    const { after } = this;
    const now = this.parts.clock.now();
    // Attempts that end during the query free places for due deliveries that it has left out.
    const wasIdle = this.underWay.size === 0;
    const fullAccounts = this.places.fullAccounts();
    const found = await dueEndpoints(db, { after, now, fullAccounts, endpointsMax });
    const isEnd = found.length < endpointsMax;
    const others = after === "" && isEnd ? [] : await otherEndpoints(db, found, now);
    const isFinished = await this.takeTurns(found, this.turns.inOrder([...found, ...others]));
    if (isEnd && isFinished) this.after = "";
    return !wasIdle || this.underWay.size > 0 || found.length > 0 || after !== "";
  }

  /**
   * Gives one turn to an account for each of its endpoints in `found`. `waiting` has all due endpoints of these accounts
   * in the order of their turns. Returns false if the places of the node are not sufficient for all turns.
   */
  private async takeTurns(found: readonly DueEndpoint[], waiting: DueEndpoint[]): Promise<boolean> {
    for (const { account_id: accountId, endpoint_id: foundId } of found) {
      if (this.places.free() <= 0) return false;
      this.after = foundId;
      const next = waiting.findIndex(
        ({ account_id, endpoint_id }) => account_id === accountId && this.places.freeFor(accountId, endpoint_id) > 0,
      );
      const [endpoint] = next === -1 ? [] : waiting.splice(next, 1);
      if (endpoint) await this.send(endpoint);
    }
    return true;
  }

  /** Waits until an attempt has ended or it is time to look for due deliveries again. */
  async progress(): Promise<void> {
    if (this.underWay.size === 0) return;
    const ended = new AbortController();
    const late = this.parts.clock.sleep(LOOK_MS, ended.signal).catch(() => undefined);
    await Promise.race([late, ...this.underWay]);
    ended.abort();
  }

  /**
   * Waits until all attempts in progress have ended. After that, if the process is stopping, releases the deliveries
   * whose attempts have no outcome.
   */
  async settle(): Promise<void> {
    await Promise.all(this.underWay);
    if (this.tools.signal.aborted) await releaseClaims(webhooksIn(this.parts.database.db), this.lease);
  }

  throwFaults(): void {
    if (this.faults.length > 0)
      throw new AggregateError(this.faults, `deliveries that could not be processed: ${this.faults.length}`);
  }

  private async send(endpoint: DueEndpoint): Promise<void> {
    const { parts, lease } = this;
    const db = webhooksIn(parts.database.db);
    const deliveriesMax = this.places.freeFor(endpoint.account_id, endpoint.endpoint_id);
    if (deliveriesMax === 0) return;
    const now = parts.clock.now();
    const deliveries = await claimDue(db, endpoint, { lease, now, deliveriesMax });
    if (deliveries.length === 0) return;
    const secrets = await liveSecrets(db, parts, endpoint.endpoint_id, now);
    for (const delivery of deliveries) this.begin(endpoint, delivery, secrets);
  }

  private begin(endpoint: DueEndpoint, delivery: ClaimedDelivery, secrets: readonly string[]): void {
    const { account_id: accountId, endpoint_id: endpointId } = endpoint;
    this.places.begin(accountId, endpointId);
    this.turns.begin(endpointId);
    const sending = this.sendOne(endpoint, delivery, secrets)
      .catch((fault: unknown) => {
        if (!this.tools.signal.aborted) this.faults.push(fault);
      })
      .finally(() => {
        this.underWay.delete(sending);
        this.places.end(accountId, endpointId);
      });
    this.underWay.add(sending);
  }

  private async sendOne(endpoint: DueEndpoint, delivery: ClaimedDelivery, secrets: readonly string[]): Promise<void> {
    const ended = await attempt(this.parts, this.tools, { endpoint, delivery, secrets });
    await storeOutcome(this.parts, delivery, this.lease, ended);
  }
}

/** Finds the other due endpoints of the accounts whose endpoints were found. */
async function otherEndpoints(
  db: WebhookDatabase,
  found: readonly DueEndpoint[],
  now: number,
): Promise<readonly DueEndpoint[]> {
  if (found.length === 0) return [];
  const foundIds = new Set(found.map(({ endpoint_id }) => endpoint_id));
  const accounts = [...new Set(found.map(({ account_id }) => account_id))];
  const endpointsMax = accounts.length * ENDPOINTS_MAX;
  const endpoints = await dueEndpoints(db, { after: "", now, accounts, endpointsMax });
  return endpoints.filter(({ endpoint_id }) => !foundIds.has(endpoint_id));
}

interface Sending {
  readonly endpoint: DueEndpoint;
  readonly delivery: ClaimedDelivery;
  readonly secrets: readonly string[];
}

/** Makes one attempt. Rejects only with the reason of the signal, or for a fault of this service. */
async function attempt(
  { clock, settingOf }: StoreParts,
  { post, signal }: SendTools,
  { endpoint, delivery, secrets }: Sending,
): Promise<EndedAttempt> {
  const at = clock.now();
  const failed = (error: string, status?: number): EndedAttempt["attempt"] => ({
    at,
    ms: Math.max(clock.now() - at, 0),
    ...(status !== undefined && { status }),
    error,
  });
  if (secrets.length === 0) {
    return { kind: "failed", attempt: failed("the secret cannot be read on this node; rotate it") };
  }
  const message = {
    id: delivery.delivery_id,
    timestamp: Math.floor(at / SECOND_MS),
    body: delivery.body,
  };
  try {
    const answer = await post(
      {
        url: endpoint.url,
        headers: { ...signedHeaders(message, secrets) },
        body: delivery.body,
        privateOrigins: settingOf(privateTargets),
      },
      signal,
    );
    const { status, retryAt } = answer;
    if (status >= 200 && status < 300) {
      return { kind: "delivered", attempt: { at, ms: Math.max(clock.now() - at, 0), status } };
    }
    const error = `answered ${status}; expected 2xx`;
    return { kind: status === 410 ? "gone" : "failed", attempt: failed(error, status), retryAt };
  } catch (error) {
    if (!(error instanceof OutwardFailure)) throw error;
    return { kind: "failed", attempt: failed(error.message) };
  }
}
