import { StatementTimeout } from "./postgres-pool.js";

/**
 * The error codes of sockets and DNS, and PostgreSQL's SQLSTATE codes for lost connections, standbys, timed-out idle
 * transactions, conflicting transactions, insufficient resources, unavailable locks, shutdowns, and system and internal
 * errors.
 */
const LOST_POSTGRES =
  /^(?:E(?:CONN|HOST|NET|TIMEDOUT|NOTFOUND|AI_|PIPE)|08|25006|25P03|40001|40P01|53|55P03|57P|58|XX)/;
const LOST_SQLITE = /^SQLITE_(?:BUSY|LOCKED|READONLY|IOERR|CORRUPT|FULL|CANTOPEN|PERM|NOTADB)/;
/** The messages of connection errors that the driver reports without a code. */
const LOST_CONNECTION =
  /^(?:Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|the connection was closed)/;

/**
 * True for an error of the store itself, such as a lost connection, a lock that is not free in time, a full disk or a
 * damaged file. False for every other error, such as a mistake in a statement.
 */
export function isStoreLost(error: unknown): boolean {
  if (error instanceof StatementTimeout) return true;
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.some(isStoreLost);
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === undefined) return LOST_CONNECTION.test(message);
  return LOST_POSTGRES.test(code) || LOST_SQLITE.test(code);
}
