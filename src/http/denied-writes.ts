import { LRUCache } from "lru-cache";
import type { AuditEvent } from "../access/audit-log.js";
import type { Failure } from "../contract/failures.js";
import { type Clock, MINUTE_MS } from "../kit/clock.js";
import { entriesUpTo } from "../kit/entries-up-to.js";
import type { Exchange } from "./exchange.js";

export interface DeniedWriteParts {
  readonly clock: Clock;
  readonly addressOf: (exchange: Exchange) => string;
  readonly audit: (event: AuditEvent) => Promise<void>;
}

/** Maximum number of remembered pairs of a caller and a path. */
const REMEMBERED_MAX = 10_000;

/**
 * Adds an entry to the audit log when a write of an identified caller is refused with 403. Other refusals are not
 * recorded. Writes are refused before limits are checked, so a caller can cause many refusals. For each caller and
 * path, at most one refusal a minute is recorded, with the number of refusals since the last record.
 */
export function deniedWrites({ clock, addressOf, audit }: DeniedWriteParts) {
  const lately = new LRUCache<string, { readonly until: number; more: number }>(entriesUpTo(REMEMBERED_MAX));

  return async (exchange: Exchange, refused: Failure): Promise<void> => {
    const { principal, path } = exchange;
    if (!principal || refused.status !== 403) return;
    const { actor, accountId } = principal;
    const at = clock.now();
    const key = `${actor} ${path}`;
    const last = lately.get(key);
    if (last && at < last.until) {
      last.more += 1;
      return;
    }
    lately.set(key, { until: at + MINUTE_MS, more: 0 });
    await audit({
      at,
      action: "write.denied",
      actor,
      subject: path,
      address: addressOf(exchange),
      ...(accountId !== undefined && { accountId }),
      detail: { reason: refused.failure, ...(last && last.more > 0 && { repeatedBefore: last.more }) },
    });
  };
}
