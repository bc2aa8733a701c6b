import { expect, test } from "vitest";
import { keyHolder } from "../../../../test/support/principals.js";
import { Failure } from "../../../contract/failures.js";
import type { Delivery, DeliveryQuery, WebhookDeliveries } from "../ports.js";
import { listWebhookDeliveries } from "./list-webhook-deliveries.js";

const COUNT = 5;
const ids = Array.from({ length: COUNT }, (_, at) => `msg_${String(at).padStart(26, "0")}`).reverse();
const query = { endpointId: "", state: [], pageSize: 2, cursor: "" };

/** Creates a context with five deliveries, and a list of the queries that its port receives. */
function reading() {
  const queries: DeliveryQuery[] = [];
  const unexpected = (): never => {
    throw new Error("list-webhook-deliveries must call only `list`");
  };
  const deliveries: WebhookDeliveries = {
    async list(deliveryQuery) {
      queries.push(deliveryQuery);
      const rows = ids.filter((id) => deliveryQuery.before === "" || id < deliveryQuery.before);
      return rows.slice(0, deliveryQuery.rowsMax).map((deliveryId) => ({ deliveryId }) as Delivery);
    },
    sendTest: unexpected,
    replay: unexpected,
  };
  return { queries, context: { principal: keyHolder, ports: { deliveries } } };
}

test("each page of deliveries continues after the previous page, and the last page has an empty cursor", async () => {
  const { context } = reading();
  const pages: string[][] = [];
  let cursor = "";
  do {
    const page = await listWebhookDeliveries.run({ ...query, cursor }, context);
    pages.push(page.deliveries.map(({ deliveryId }) => deliveryId));
    cursor = page.nextCursor;
  } while (cursor !== "");
  expect(pages).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
});

test("list-webhook-deliveries passes its filters to the store", async () => {
  const { queries, context } = reading();
  await listWebhookDeliveries.run({ ...query, endpointId: "whe_1", state: ["dead"] }, context);
  expect(queries).toEqual([{ endpointId: "whe_1", states: ["dead"], before: "", rowsMax: 3 }]);
});

test("a cursor of a list with other filters is refused, and so is any string that is not a cursor", async () => {
  const { context } = reading();
  const { nextCursor } = await listWebhookDeliveries.run(query, context);
  for (const other of [{ state: ["dead"], cursor: nextCursor }, { cursor: "x" }, { cursor: `${nextCursor}.x` }]) {
    await expect(listWebhookDeliveries.run({ ...query, ...other }, context)).rejects.toThrow(Failure);
  }
});
