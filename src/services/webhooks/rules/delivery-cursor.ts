import { createHash } from "node:crypto";
import { sortablePattern } from "../../../kit/sortable-id.js";
import { DELIVERY_PREFIX } from "../records.js";

const PREFIX = "whc1";
const deliveryIdShape = new RegExp(sortablePattern(DELIVERY_PREFIX));

/** The filters of a list. */
export type ListFilters = Readonly<Record<string, string | readonly string[]>>;

/**
 * Returns the cursor of the page after a delivery. Every page shows only rows of the account, so a cursor needs no
 * signature.
 */
export function cursorAfter(deliveryId: string, filters: ListFilters): string {
  return `${PREFIX}.${digestOf(filters)}.${deliveryId}`;
}

/**
 * Returns the id of the delivery before the page; undefined for a cursor of a list with other filters, and for a string
 * that is not a cursor.
 */
export function deliveryBefore(cursor: string, filters: ListFilters): string | undefined {
  const [prefix, digest, deliveryId = "", ...rest] = cursor.split(".");
  const isOfList = prefix === PREFIX && digest === digestOf(filters) && rest.length === 0;
  return isOfList && deliveryIdShape.test(deliveryId) ? deliveryId : undefined;
}

function digestOf(filters: ListFilters): string {
  return createHash("sha256").update(JSON.stringify(filters)).digest("hex").slice(0, 16);
}
