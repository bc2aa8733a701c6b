import { expect, test } from "vitest";
import { StatementTimeout } from "./postgres-pool.js";
import { isStoreLost } from "./store-error.js";

const coded = (code: string): Error => Object.assign(new Error("refused"), { code });

test.each([
  ["a statement without an answer", new StatementTimeout("PostgreSQL did not answer within 10 s")],
  ["a refused connection", coded("ECONNREFUSED")],
  ["a refusal by both addresses of a host", new AggregateError([coded("ECONNREFUSED"), coded("ECONNREFUSED")])],
  ["a connection that ended", new Error("Connection terminated unexpectedly")],
  ["no connection in time", new Error("timeout exceeded when trying to connect")],
  ["a server that shuts down", coded("57P01")],
  ["a standby", coded("25006")],
  ["a lock that was not free in time", coded("55P03")],
  ["a deadlock", coded("40P01")],
  ["a full disk", coded("SQLITE_FULL")],
  ["a lock of another process", coded("SQLITE_BUSY_SNAPSHOT")],
])("%s means that the store is lost", (_name, error) => {
  expect(isStoreLost(error)).toBe(true);
});

test.each([
  ["a missing table", coded("42P01")],
  ["a broken constraint", coded("SQLITE_CONSTRAINT_UNIQUE")],
  ["a statement that SQLite does not understand", coded("SQLITE_ERROR")],
  ["any other error", new Error("no provider for the port portfolio")],
  ["a string", "ECONNREFUSED"],
])("%s does not mean that the store is lost", (_name, error) => {
  expect(isStoreLost(error)).toBe(false);
});
