import { Type } from "typebox";
import type { Principal } from "../../../contract/access/principal.js";
import { changeLogs, type OpenLog } from "../../../contract/change-log.js";
import { failure } from "../../../contract/failures.js";
import { refusedTarget } from "../../../contract/outward.js";
import { write } from "../../../contract/write.js";
import { webhookEndpoints } from "../ports.js";
import { endpointMembers, Secret, WebhookEndpoint } from "../records.js";
import { createLimit } from "../rules/call-limits.js";
import { endpointLimitReached } from "../rules/failures.js";
import { filterViolations } from "../rules/filters.js";

export const createWebhookEndpoint = write({
  rpc: "create-webhook-endpoint",
  summary: "Create a webhook endpoint",
  description:
    "Changes from now on are posted to the address, signed with the secret that only this answer shows. The caller also needs the scope to read each of the `events`. Redirects are not followed; a 2xx within 15 s accepts a delivery. 422 ENDPOINT_LIMIT_REACHED at 20 endpoints. Idempotency-Key is ignored.",
  access: { scope: "webhooks:write" },
  limit: createLimit,
  success: 201,
  repeats: "ignored",
  isTransaction: true,
  failures: ["limitReached"],
  uses: { endpoints: webhookEndpoints, logs: changeLogs },
  request: Type.Object(
    {
      url: endpointMembers.url,
      description: Type.Optional(endpointMembers.description),
      events: endpointMembers.events,
      filters: Type.Optional(endpointMembers.filters),
      order: Type.Optional(endpointMembers.order),
    },
    { title: "CreateWebhookEndpointRequest" },
  ),
  example: { url: "https://example.com/hook", events: ["watch.fired"] },
  response: Type.Object({ endpoint: WebhookEndpoint, secret: Secret }, { title: "CreateWebhookEndpointResponse" }),
  async run({ url, description, events, filters = {}, order = "WEBHOOK_ORDER_PER_SUBJECT" }, { principal, ports }) {
    const { endpoints } = ports;
    const requestedLogs = ports.logs.filter(({ log }) => events.includes(log.event));
    const unknown = events.filter((event) => !requestedLogs.some(({ log }) => log.event === event));
    const names = ports.logs.map(({ log }) => log.event).join(", ");
    const refusal = refusedTarget(url, endpoints.privateOrigins);
    const violations = [
      ...(refusal === undefined ? [] : [{ field: "url", description: refusal }]),
      ...(unknown.length === 0 ? [] : [{ field: "events", description: `each must be one of ${names}` }]),
      ...(unknown.length === 0
        ? filterViolations(
            filters,
            requestedLogs.map(({ log }) => log),
          )
        : []),
    ];
    if (violations.length > 0) throw failure("validation", { violations });
    refuseForeign(principal, requestedLogs);
    const created = await endpoints.create({
      url,
      description,
      filters,
      order,
      positions: await positionsOf(requestedLogs, principal.accountId ?? ""),
    });
    if (created === "too many") throw endpointLimitReached();
    return { body: created };
  },
});

/** Throws unless the creator of an endpoint may read these logs, whose changes the endpoint receives. */
function refuseForeign({ scopes }: Principal, logs: readonly OpenLog[]): void {
  for (const { log } of logs) {
    if (!scopes.has(log.scope)) throw failure("scopeMissing", { scope: log.scope });
  }
}

/** Reads the newest position of each log. */
async function positionsOf(logs: readonly OpenLog[], accountId: string): Promise<ReadonlyMap<string, number>> {
  const positions = new Map<string, number>();
  for (const { log, reader } of logs) {
    positions.set(log.event, (await reader.newest([accountId])).get(accountId) ?? 0);
  }
  return positions;
}
