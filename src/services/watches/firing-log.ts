import type { ChangeLog } from "../../contract/change-log.js";
import { firingKinds, WatchFiring, watchTriggers } from "./records.js";
import { firingText } from "./rules/firing/firing-text.js";

const KIND_PREFIX = "WATCH_FIRING_KIND_";

/** Shortens a kind of firing to the name that filters and database columns use, for example `fired`. */
export const shortKind = (kind: string): string => kind.slice(KIND_PREFIX.length).toLowerCase();

/** The log of the firings of an account, which `list-watch-firings` polls. */
export const firingLog: ChangeLog<typeof WatchFiring> = {
  event: "watch.fired",
  description: "A watch has fired, was resolved, or could not be evaluated.",
  scope: "watches:read",
  isPerAccount: true,
  entry: WatchFiring,
  subject: "watchId",
  facets: {
    watchId: undefined,
    kind: firingKinds.map(shortKind),
    on: watchTriggers,
  },
  line: (firing) => `${firing.firedAt}  ${firingText(firing)}`,
};
