import { Type } from "typebox";
import { epochMs } from "../../../contract/field.js";
import { operation } from "../../../contract/operation.js";
import { pageSize } from "../../../contract/query-field.js";
import { textLike } from "../../../contract/value-fields.js";
import { isMaterialItem } from "../../../edgar/filing-items.js";
import { materialEvents } from "../datasets/material-events.js";
import { FilingEvent } from "../filing-records.js";

const EVENTS_MAX = 100;
const EVENTS_DEFAULT = 25;

/** Material events that US-listed companies reported in the last week, newest first. Source: SEC EDGAR. */
export const listMaterialEvents = operation({
  rpc: "list-material-events",
  summary: "Material events that US-listed companies filed in the last week",
  description:
    "Current reports (forms 8-K and 8-K/A) of the last seven days, newest first, from the SEC's EDGAR. Without `item_code`, the list contains only reports with at least one material item: 1.01–1.05, 2.01–2.06, 3.01–3.03, 4.01, 4.02, 5.01–5.03, 5.05 or 5.08. An empty list with `unavailable: true` means that there is no data; with `false`, it means that no filing matches.",
  cache: "medium",
  reads: { week: materialEvents },
  query: {
    itemCode: textLike(
      "Only filings with this item, which may also be a routine item; example: `1.05`",
      "^[0-9]+\\.[0-9]{2}$",
    ),
    limit: {
      ...pageSize(EVENTS_MAX, EVENTS_DEFAULT),
      description: `Maximum number of filings, default ${EVENTS_DEFAULT}; more than ${EVENTS_MAX} counts as ${EVENTS_MAX}`,
    },
  },
  response: Type.Object(
    {
      events: Type.Array(FilingEvent, { description: "Newest first" }),
      unavailable: Type.Boolean({ description: "True if no filings are stored" }),
      fetchedAtMs: Type.Optional(epochMs("Time of collection; absent without data")),
    },
    { title: "ListMaterialEventsResponse" },
  ),
  list: { rows: "events", identity: ({ accession }) => accession },
  examples: [{}, { item_code: "5.02", limit: "10" }, { jmespath: "events[].[company, items[].description]" }],
  run({ itemCode, limit }, { week }, { tally }) {
    if (!week.available) return { events: [], unavailable: true };
    const { material, byItem } = week.view;
    const all = tally.whole(week.view.all);
    const has = (isMeant: (code: string) => boolean) => (event: FilingEvent) =>
      event.items.some(({ code }) => isMeant(code));
    const events =
      itemCode === ""
        ? tally.narrowed("no material item", all, material, has(isMaterialItem))
        : tally.narrowed(
            "itemCode",
            all,
            byItem.get(itemCode) ?? [],
            has((code) => code === itemCode),
          );
    return { events: tally.first("limit", events, limit), unavailable: false, fetchedAtMs: week.builtAt };
  },
});
