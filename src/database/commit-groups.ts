import { monotonicMs } from "../kit/clock.js";
import type { Turn } from "../kit/turnstile.js";

/** The connection whose transactions share commits. */
export interface GroupedConnection {
  run(statement: string): void;
  /** False after SQLite itself has rolled the transaction back, for example because the disk is full. */
  isInTransaction(): boolean;
}

/** The bounds of a group. Once the group has reached one of them, it commits as soon as a member ends. */
export interface GroupBounds {
  readonly membersMax: number;
  /** Age from which a group is committed as soon as a member ends. */
  readonly msMax: number;
}

/**
 * One transaction of a group. Its user holds the turn, which is the exclusive use of the connection, until the
 * transaction ends.
 */
export interface Member {
  /** Runs a statement. Throws once the group has failed, so that nothing runs outside of the transaction. */
  run<T>(statement: () => T): T;
  /** Ends the member and passes on the turn. Resolves after the group's COMMIT, or rejects with its error. */
  commit(): Promise<void>;
  /**
   * Rolls the member back and passes on the turn. The error that caused the rollback may depend on rows of the group
   * that are not committed yet. Like `commit`, this function therefore resolves only after the group's COMMIT.
   */
  rollback(): Promise<void>;
}

/** Transactions that share one durable commit. */
export interface CommitGroups {
  /** True from the beginning of a group to its COMMIT. In between, reads on the connection see uncommitted rows. */
  isOpen(): boolean;
  /** Begins a transaction, in the open group if there is one. The caller holds the turn. */
  begin(): Member;
  /** Commits the open group immediately. If a member has not ended, the whole group is rolled back. */
  settle(): void;
}

/**
 * Commits transactions in groups. Each transaction is a savepoint of one outer transaction and resolves when the outer
 * one is committed. The commit is scheduled with `setImmediate`, so that calls that have arrived by then, for example
 * during the previous commit, join the group.
 */
export function commitGroups(connection: GroupedConnection, turn: Turn, bounds: GroupBounds): CommitGroups {
  let current: Group | undefined;

  function open(): Group {
    connection.run("begin immediate");
    const group = newGroup();
    setImmediate(() => commitInTurn(group));
    return group;
  }

  async function commitInTurn(group: Group): Promise<void> {
    if (current !== group) return;
    await turn.take();
    if (current === group) commit(group);
    giveLater();
  }

  function commit(group: Group): void {
    try {
      connection.run("commit");
      current = undefined;
      group.committed();
    } catch (error) {
      fail(group, error);
    }
  }

  /** Rolls the whole group back. */
  function fail(group: Group, error: unknown): void {
    current = undefined;
    try {
      if (connection.isInTransaction()) connection.run("rollback");
      group.failed(error);
    } catch (second) {
      group.failed(new AggregateError([error, second], "a transaction could not be rolled back"));
    }
  }

  /** Passes on the turn in the next cycle of the event loop, because the commit has just blocked the loop. */
  function giveLater(): void {
    setImmediate(() => turn.give());
  }

  function end(group: Group, statements: readonly string[]): Promise<void> {
    group.isRunning = false;
    if (current === group) {
      try {
        for (const statement of statements) connection.run(statement);
        group.members += 1;
      } catch (error) {
        fail(group, error);
      }
    }
    const isFull = group.members >= bounds.membersMax || monotonicMs() - group.startedAt >= bounds.msMax;
    if (current === group && isFull) {
      commit(group);
      giveLater();
    } else {
      turn.give();
    }
    return group.done;
  }

  return {
    isOpen: () => current !== undefined,
    begin() {
      current ??= open();
      const group = current;
      connection.run("savepoint member");
      group.isRunning = true;
      return {
        run(statement) {
          if (current !== group) throw new Error("the transaction was rolled back");
          try {
            return statement();
          } catch (error) {
            if (!connection.isInTransaction()) fail(group, error);
            throw error;
          }
        },
        commit: () => end(group, ["release member"]),
        rollback: () => end(group, ["rollback to member", "release member"]),
      };
    },
    settle() {
      if (!current) return;
      if (current.isRunning) fail(current, new Error("the store was closed in the middle of a transaction"));
      else commit(current);
    },
  };
}

interface Group {
  readonly startedAt: number;
  /** Number of members that have ended. */
  members: number;
  isRunning: boolean;
  readonly done: Promise<void>;
  committed(): void;
  failed(error: unknown): void;
}

function newGroup(): Group {
  let committed = (): void => undefined;
  let failed = (_error: unknown): void => undefined;
  const done = new Promise<void>((resolve, reject) => {
    committed = resolve;
    failed = reject;
  });
  // Prevents an unhandled rejection. Every member that has ended receives the error.
  done.catch(() => undefined);
  return { startedAt: monotonicMs(), members: 0, isRunning: false, done, committed, failed };
}
