import { Type } from "typebox";
import { accountRead } from "../../../contract/account-read.js";
import { failure } from "../../../contract/failures.js";
import { enumNames, int32UpTo, text } from "../../../contract/query-field.js";
import { textLike } from "../../../contract/value-fields.js";
import { sortablePattern } from "../../../kit/sortable-id.js";
import { webhookDeliveries } from "../ports.js";
import { deliveryStates, ENDPOINT_PREFIX, WebhookDelivery } from "../records.js";
import { cursorAfter, deliveryBefore } from "../rules/delivery-cursor.js";

const PAGE_ROWS_MAX = 100;
const PAGE_ROWS_DEFAULT = 50;
/** Maximum length of a cursor in a request; the cursors of this list are far shorter. */
const CURSOR_CHARACTERS_MAX = 100;

export const listWebhookDeliveries = accountRead({
  rpc: "list-webhook-deliveries",
  summary: "Log of webhook deliveries",
  description:
    "Deliveries, newest first, each with its last attempts. Delivered ones are kept for 7 days, dead ones for 30 days. `state=dead` lists the deliveries that replay-webhook-deliveries can send again.",
  access: { scope: "webhooks:read" },
  uses: { deliveries: webhookDeliveries },
  query: {
    endpointId: textLike("Only deliveries to this endpoint", sortablePattern(ENDPOINT_PREFIX)),
    state: enumNames("Only deliveries in these states", deliveryStates, "WEBHOOK_DELIVERY_STATE_"),
    pageSize: int32UpTo("Rows per page", PAGE_ROWS_MAX, PAGE_ROWS_DEFAULT),
    cursor: text("`nextCursor` of the previous page", CURSOR_CHARACTERS_MAX),
  },
  response: Type.Object(
    {
      deliveries: Type.Array(WebhookDelivery, { description: "One page of deliveries" }),
      nextCursor: Type.String({ description: "Send it as `cursor` for the next page; empty on the last page" }),
    },
    { title: "ListWebhookDeliveriesResponse" },
  ),
  examples: [{}, { state: "dead,pending", page_size: "10" }],
  async run({ endpointId, state, pageSize, cursor }, { ports }) {
    const filters = { endpointId, state };
    const before = cursor === "" ? "" : deliveryBefore(cursor, filters);
    if (before === undefined) {
      const description = "must be a cursor of this operation with the same filters";
      throw failure("validation", { violations: [{ field: "cursor", description }] });
    }
    // One extra row shows whether another page follows.
    const rows = await ports.deliveries.list({ endpointId, states: state, before, rowsMax: pageSize + 1 });
    const deliveries = rows.slice(0, pageSize);
    const last = rows.length > pageSize ? deliveries.at(-1) : undefined;
    return { deliveries, nextCursor: last === undefined ? "" : cursorAfter(last.deliveryId, filters) };
  },
});
