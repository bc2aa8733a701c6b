import { randomBytes } from "node:crypto";
import type { Principal } from "../../../src/contract/access/principal.js";
import type { OpenDatabase } from "../../../src/database/open-database.js";
import type { StoreCall } from "../../../src/database/service-store.js";
import type { Clock } from "../../../src/kit/clock.js";
import type { CompanyReading } from "../../../src/services/company-monitoring/changes/company-reading.js";
import type { CursorRefusal } from "../../../src/services/company-monitoring/changes/cursor-refusal.js";
import { type CompanyCursors, companyCursors } from "../../../src/services/company-monitoring/changes/cursors.js";
import type { Portfolio } from "../../../src/services/company-monitoring/ports.js";
import { accountReading } from "../../../src/services/company-monitoring/store/account-reading.js";
import { takeTurn } from "../../../src/services/company-monitoring/store/account-turn.js";
import { cursorRing } from "../../../src/services/company-monitoring/store/cursor-ring.js";
import { portfolioOf } from "../../../src/services/company-monitoring/store/portfolio-store.js";
import { companiesIn } from "../../../src/services/company-monitoring/store/tables.js";
import { principalOf } from "./principal-of.js";

/** The inputs of an operation that reads the companies of an account. */
export interface CompanyContext {
  readonly principal: Principal;
  readonly ports: { readonly reading: CompanyReading; readonly cursors: CompanyCursors };
}

/** One node of a store: its own connection, clock and copy of the cursor keys. */
export interface CompanyNode {
  readonly database: OpenDatabase;
  readonly clock: Clock;
  readonly refused: CursorRefusal[];
  contextOf(accountId: string): CompanyContext;
  /**
   * Runs a write of an account in a transaction. Returns its result and its log position; the position is undefined if
   * the write had no effect.
   */
  write<T>(accountId: string, run: (context: WriteContext) => Promise<T>): Promise<Written<T>>;
}

/** The inputs of a write to the companies of an account. */
export interface WriteContext {
  readonly principal: Principal;
  readonly ports: { readonly portfolio: Portfolio };
  readonly now: () => number;
}

export interface Written<T> {
  readonly result: T;
  readonly position: number | undefined;
}

export function companyNode(database: OpenDatabase, clock: Clock): CompanyNode {
  const ring = cursorRing({ database, clock, vault: undefined });
  const refused: CursorRefusal[] = [];
  const callOf = (accountId: string, db = database.db): StoreCall => {
    const principal = principalOf(accountId);
    return { principal, actor: principal.actor, address: "", db };
  };
  return {
    database,
    clock,
    refused,
    write: (accountId, run) =>
      database.db.transaction().execute(async (db) => {
        const before = await takeTurn(companiesIn(db), accountId);
        const portfolio = portfolioOf({ clock, randomBytes }, callOf(accountId, db));
        const result = await run({ principal: principalOf(accountId), ports: { portfolio }, now: clock.now });
        const { position } = await takeTurn(companiesIn(db), accountId);
        return { result, position: position === before.position ? undefined : position };
      }),
    contextOf(accountId) {
      const principal = principalOf(accountId);
      const call = callOf(accountId);
      const onRefused = (reason: CursorRefusal): void => void refused.push(reason);
      return {
        principal,
        ports: {
          reading: accountReading({ clock }, call),
          cursors: companyCursors({ accountId, ring, now: clock.now, onRefused }),
        },
      };
    },
  };
}
