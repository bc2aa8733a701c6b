import { DAY_MS, HOUR_MS } from "../../../kit/clock.js";

export const ENDPOINTS_MAX = 20;
export const DESCRIPTION_CHARACTERS_MAX = 200;
/** Maximum number of event types per endpoint. */
export const EVENTS_MAX = 20;
/** Maximum number of facets that an endpoint filters by. */
export const FACETS_MAX = 10;
/** Maximum number of values per facet. */
export const FACET_VALUES_MAX = 100;
export const FACET_CHARACTERS_MAX = 64;
/** Maximum number of waiting deliveries of an endpoint. Further changes wait in the log. */
export const PENDING_MAX = 10_000;
/** Maximum number of dead deliveries that one call sends again. */
export const REPLAYED_MAX = 1_000;
export const REPLAYED_IDS_MAX = 100;
/** Time after which an undelivered change is declared dead. */
export const DELIVERED_WITHIN_MS = 3 * DAY_MS;
/** Time for which a replaced secret still signs. */
export const OLD_SECRET_MS = 24 * HOUR_MS;
/** Maximum number of attempts kept per delivery; older attempts are dropped. */
export const ATTEMPTS_KEPT = 10;
