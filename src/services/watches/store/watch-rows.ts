import type { Kysely } from "kysely";
import type { Database } from "../../../database/schema.js";
import type { TokenSigner } from "../../../kit/signed-token.js";
import type { WatchDefinition } from "../records.js";
import { watchFeedLinks } from "../rules/feed-link.js";
import type { WatchMemory } from "../rules/watch-step.js";
import { type Recipient, recipientStates, type Watch, type WatchState, watchStates } from "../served-watch.js";
import { recipientsOf, type StoredRecipient } from "./mail/addresses.js";
import { mailsIn } from "./mail/tables.js";
import { type WatchRow, watchesIn } from "./tables.js";

const STATE_PREFIX = "WATCH_STATE_";

export const stateColumn = (state: WatchState): string => state.slice(STATE_PREFIX.length).toLowerCase();

// The values are not checked, because this service wrote both columns.
export const definitionOf = ({ definition }: Pick<WatchRow, "definition">): WatchDefinition => JSON.parse(definition);
export const memoryOf = ({ memory }: Pick<WatchRow, "memory">): WatchMemory => JSON.parse(memory);

/** Converts rows to served watches, in the order of the rows. */
export async function servedWatches(
  on: Kysely<Database>,
  rows: readonly WatchRow[],
  signer: TokenSigner,
): Promise<readonly Watch[]> {
  if (rows.length === 0) return [];
  const db = watchesIn(on);
  const named = rows.filter((row) => definitionOf(row).emails.length > 0).map(({ watch_id }) => watch_id);
  const recipients = await recipientsOf(mailsIn(on), named);
  const ids = rows.map(({ watch_id }) => watch_id);
  const reads = await db.selectFrom("watch_read").selectAll().where("watch_id", "in", ids).execute();
  // Sorted here, because databases order hyphens differently.
  const datasets = (watchId: string): string[] =>
    reads.flatMap(({ watch_id, dataset }) => (watch_id === watchId ? [dataset] : [])).sort();
  // A stopped recipient is stored even if its watch no longer names it.
  const recipientsNamedBy = (row: WatchRow): readonly StoredRecipient[] => {
    const { emails } = definitionOf(row);
    return recipients.filter(({ watchId, address }) => watchId === row.watch_id && emails.includes(address));
  };
  return rows.map((row) => ({
    ...servedWatch(row, datasets(row.watch_id), recipientsNamedBy(row)),
    feedPath: watchFeedLinks.path(signer, { subject: row.watch_id, revision: row.feed_revision }),
  }));
}

function servedWatch(
  row: WatchRow,
  datasets: string[],
  recipients: readonly StoredRecipient[],
): Omit<Watch, "feedPath"> {
  const { collisions, lastError } = memoryOf(row);
  const isActive = row.state === "active";
  return {
    watchId: row.watch_id,
    ...definitionOf(row),
    ...(recipients.length > 0 && { recipients: recipients.map(servedRecipient) }),
    datasets,
    state: servedState(row.state),
    ...(row.state_reason !== null && { stateReason: row.state_reason }),
    evaluatedPosition: row.evaluated_position,
    isBehind: isActive && row.behind_from !== null,
    ...(isActive && row.due_at !== null && { quietUntil: iso(row.due_at) }),
    firingCount: row.firing_count,
    ...(row.last_fired_at !== null && { lastFiredAt: iso(row.last_fired_at) }),
    failuresInRow: row.failure_count,
    ...(lastError !== undefined && { lastError }),
    ...(collisions > 0 && { collidingIdentities: collisions }),
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
  };
}

function servedRecipient({ address, state, reason }: StoredRecipient): Recipient {
  return { email: address, state: servedRecipientState(state), ...(reason !== undefined && { reason }) };
}

function servedRecipientState(column: string): Recipient["state"] {
  const state = recipientStates.find((name) => name === `WATCH_RECIPIENT_STATE_${column.toUpperCase()}`);
  if (state === undefined) throw new Error(`a recipient has the unknown state ${column}`);
  return state;
}

function servedState(column: string): WatchState {
  const state = watchStates.find((name) => name === `${STATE_PREFIX}${column.toUpperCase()}`);
  if (state === undefined) throw new Error(`a watch has the unknown state ${column}`);
  return state;
}

const iso = (at: number): string => new Date(at).toISOString();
