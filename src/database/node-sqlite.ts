import type { SqliteDatabase, SqliteStatement } from "kysely";

/**
 * A SQLite connection: the driver methods that Kysely uses, pragmas for opening a store, and whether a transaction is
 * open.
 */
export interface SqliteConnection extends SqliteDatabase {
  readonly inTransaction: boolean;
  pragma(pragma: string): void;
}

/**
 * First major version of Node.js whose built-in SQLite is used. From this version on, a driver that is built on
 * the old object wrapper of Node.js, such as better-sqlite3, crashes the process.
 */
export const NODE_SQLITE_FROM = 24;

/**
 * The part of `node:sqlite` that is used here. The type definitions of the oldest supported Node.js do not include it.
 */
interface NodeSqlite {
  readonly DatabaseSync: new (path: string, options: { readonly timeout: number }) => NodeDatabase;
}

interface NodeDatabase {
  prepare(sql: string): NodeStatement;
  exec(sql: string): void;
  close(): void;
  readonly isTransaction: boolean;
}

interface NodeStatement {
  columns(): readonly unknown[];
  all(...parameters: readonly unknown[]): Row[];
  run(...parameters: readonly unknown[]): {
    readonly changes: number | bigint;
    readonly lastInsertRowid: number | bigint;
  };
  iterate(...parameters: readonly unknown[]): IterableIterator<Row>;
}

type Row = Readonly<Record<string, unknown>>;

/** Opens a file with the SQLite of Node.js. Statements do not wait for locks. */
export function openNodeSqlite(path: string): SqliteConnection {
  // The cast is safe, because the module matches its documentation in version NODE_SQLITE_FROM and later.
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite" as "node:fs") as unknown as NodeSqlite;
  const database = coded(() => new DatabaseSync(path, { timeout: 0 }));
  return {
    prepare: (sql) => statement(coded(() => database.prepare(sql))),
    pragma: (pragma) => coded(() => database.exec(`pragma ${pragma}`)),
    close: () => database.close(),
    get inTransaction() {
      return database.isTransaction;
    },
  };
}

function statement(prepared: NodeStatement): SqliteStatement {
  return {
    reader: prepared.columns().length > 0,
    all: (parameters) => coded(() => prepared.all(...parameters).map(plainRow)),
    run: (parameters) => coded(() => prepared.run(...parameters)),
    *iterate(parameters) {
      for (const row of prepared.iterate(...parameters)) yield plainRow(row);
    },
  };
}

/** Converts a row to the form of better-sqlite3: a plain object, with a Buffer for bytes. */
function plainRow(row: Row): Record<string, unknown> {
  const plain: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(row)) {
    plain[name] = value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value;
  }
  return plain;
}

/** Names of SQLite's primary result codes. The rest of the service identifies errors by these names. */
const CODES: ReadonlyMap<number, string> = new Map([
  [3, "SQLITE_PERM"],
  [5, "SQLITE_BUSY"],
  [6, "SQLITE_LOCKED"],
  [8, "SQLITE_READONLY"],
  [10, "SQLITE_IOERR"],
  [11, "SQLITE_CORRUPT"],
  [13, "SQLITE_FULL"],
  [14, "SQLITE_CANTOPEN"],
  [19, "SQLITE_CONSTRAINT"],
  [26, "SQLITE_NOTADB"],
]);

/**
 * Runs `work`. If it throws a SQLite error that `CODES` lists, throws an error with the same message and with the name
 * from `CODES` as its `code`.
 */
function coded<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const errcode = error instanceof Error && "errcode" in error ? Number(error.errcode) : undefined;
    const code = errcode === undefined ? undefined : CODES.get(errcode & 0xff);
    if (code === undefined) throw error;
    throw Object.assign(new Error((error as Error).message, { cause: error }), { code });
  }
}
