import type { PlanKey } from "../../../../contract/access/plans.js";
import type { OpenDatabase } from "../../../../database/open-database.js";
import type { StoreCall, StoreParts } from "../../../../database/service-store.js";
import { principalOf, testStoreParts } from "../../../../database/testing/store-parts.js";
import { type ManualClock, manualClock } from "../../../../kit/manual-clock.js";
import type { FiringReading, Watches } from "../../ports.js";
import type { WatchDefinition } from "../../records.js";
import { startAtEnd } from "../../rules/start.js";
import type { Watch } from "../../served-watch.js";
import { firingReadingOf } from "../firing-reader.js";
import { watchServiceStore } from "../store.js";
import { watchStore } from "../watch-store.js";
import { callOf, type ScriptedWorld } from "./scripted-world.js";

export const NOW = Date.UTC(2026, 10, 23);
export const ACCOUNT = "acc_a";

export interface WatchPorts {
  readonly watches: Watches;
  readonly firings: FiringReading;
}

export interface WatchNode {
  readonly parts: StoreParts;
  readonly clock: ManualClock;
  /** Runs a caller's work in a transaction. */
  inCall<T>(work: (ports: WatchPorts) => Promise<T>, accountId?: string, plan?: PlanKey): Promise<T>;
  /** Creates a watch on the rows of a dataset. The watch starts at the end of the log of `world`. */
  create(world: ScriptedWorld, more?: Partial<WatchDefinition>, accountId?: string): Promise<Watch>;
  find(watchId: string): Promise<Watch>;
}

/** Opens a node on a database, and creates the tables of watches. Nodes with different seeds create different ids. */
export async function watchNode(
  database: OpenDatabase,
  options: { readonly clock?: ManualClock; readonly seed?: number; readonly settings?: Record<string, string> } = {},
): Promise<WatchNode> {
  const { clock = manualClock(NOW) } = options;
  const store = { service: "watches", store: watchServiceStore };
  const parts = await testStoreParts(database, store, { ...options, clock });
  const inCall: WatchNode["inCall"] = (work, accountId = ACCOUNT, plan = "business") =>
    database.db.transaction().execute((db) => {
      const call: StoreCall = { principal: principalOf(accountId, plan), actor: "key_1", address: "", db };
      return work({ watches: watchStore(parts, call), firings: firingReadingOf(parts, call) });
    });
  return {
    parts,
    clock,
    inCall,
    async create({ timeline, answers }, more = {}, accountId = ACCOUNT) {
      const definition = definitionOf(more);
      const datasets = answers.reopen(definition.call)?.datasets ?? [];
      const memory = await startAtEnd(timeline, datasets, clock.now());
      const created = await inCall(({ watches }) => watches.create({ definition, datasets, memory }), accountId);
      if (created === "too many") throw new Error("the account has too many watches");
      return created;
    },
    async find(watchId) {
      const stored = await inCall(({ watches }) => watches.find(watchId));
      if (!stored) throw new Error(`there is no watch ${watchId}`);
      return stored.watch;
    },
  };
}

export function definitionOf(more: Partial<WatchDefinition> = {}): WatchDefinition {
  return {
    name: "Rows",
    call: callOf("a"),
    on: "WATCH_ON_NEW_ROWS",
    quietSeconds: 0,
    grouping: "WATCH_GROUPING_EVALUATION",
    emails: [],
    ...more,
  };
}
