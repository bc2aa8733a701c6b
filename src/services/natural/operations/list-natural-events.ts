import { Type } from "typebox";
import { epochMs } from "../../../contract/field.js";
import { operation } from "../../../contract/operation.js";
import { Pagination, pageFields } from "../../../contract/paging.js";
import type { QueryField } from "../../../contract/query-field.js";
import { pageSize, single } from "../../../contract/query-field.js";
import { DAY_MS } from "../../../kit/clock.js";
import { naturalEvents } from "../datasets/natural-events.js";
import { type Category, categoryNames, NaturalEvent } from "../records.js";

const DAYS_MAX = 30;

const days: QueryField<number> = {
  ...pageSize(DAYS_MAX),
  description: `Maximum age of an event, in days, when it was collected; default ${DAYS_MAX}; more counts as ${DAYS_MAX}`,
};

const isCategory = (name: string): name is Category => categoryNames.some((category) => category === name);

const category: QueryField<Category | ""> = {
  schema: Type.Enum(["", ...categoryNames], { default: "" }),
  description: "Only events of this category",
  required: false,
  decode: single<Category | "">("", (name) =>
    isCategory(name) ? { value: name } : { violation: `must be one of ${categoryNames.join(", ")}` },
  ),
  canonical: (name) => name || undefined,
};

/** Current and recent natural events, newest first. Sources: NHC, GDACS, EONET, Hong Kong Observatory. */
export const listNaturalEvents = operation({
  rpc: "list-natural-events",
  summary: "Current and recent natural events, with storm tracks and forecast cones where available",
  description:
    "Newest first, one row per event, from the US National Hurricane Center, GDACS, NASA EONET and the Hong Kong Observatory. The cyclone signal of the Hong Kong Observatory is always a separate row. A storm has each agency's observation, and its track and forecast cone if an agency publishes them. `closed: true` means that the event is over; only GDACS lists such events. `dataAvailable: false` means that there is no data; `X-Vigil-State: partial` means that the list of an agency could not be read.",
  cache: "slow",
  reads: { open: naturalEvents },
  query: { days, category, ...pageFields(500) },
  response: Type.Object(
    {
      events: Type.Array(NaturalEvent, { description: "Newest first" }),
      fetchedAt: Type.Optional(epochMs("Time of collection; absent without data")),
      dataAvailable: Type.Boolean({ description: "False if nothing is stored" }),
      pagination: Pagination,
    },
    { title: "ListNaturalEventsResponse" },
  ),
  list: { rows: "events", identity: ({ id }) => id, location: ["lat", "lon"] },
  examples: [{}, { days: "7", category: "severeStorms" }, { jmespath: "events[?stormCategory>=`1`].[title, windKt]" }],
  run({ days, category }, { open }, { paginate, tally }) {
    if (!open.available) return { events: [], dataAvailable: false, pagination: paginate([]).pagination };
    const { byCategory } = open.view;
    const since = open.builtAt - days * DAY_MS;
    const all = tally.whole(open.view.all);
    const own = (name: Category) =>
      tally.narrowed("category", all, byCategory.get(name) ?? [], (event) => event.category === name);
    const events = tally.filter(category === "" ? all : own(category), { days: ({ date }) => date >= since });
    const { rows, pagination } = paginate(events);
    return { events: rows, fetchedAt: open.builtAt, dataAvailable: true, pagination };
  },
});
