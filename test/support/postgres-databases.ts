import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";

/** The server that tests use: the server at `DATABASE_URL`, or else the server on this machine. */
export const server = process.env["DATABASE_URL"] || "postgres://postgres@127.0.0.1:5432/test";

/** A database for one test. */
export interface TestDatabase {
  readonly url: string;
  /** Ends the test's use of the database. */
  release(): Promise<void>;
}

/** The rows of each table after the migrations, as JSON. Each table comes before the tables that it refers to. */
type Contents = Readonly<Record<string, readonly object[]>>;

/**
 * Takes a migrated database that holds only the rows inserted by migrations: one that an earlier test of the run
 * released, or a new one. `release` restores these rows for another test. If the tables have changed, it drops the
 * database instead. Databases last for the whole run, because creating and dropping a database waits for a checkpoint.
 * Tests cannot use schemas of one database instead. Kysely's migrator checks whether its table exists in any schema,
 * and Kysely's introspection fails if another test drops a schema at the same time.
 */
export async function takeDatabase(runFolder: string, migrate: (url: string) => Promise<void>): Promise<TestDatabase> {
  const [freeFolder, takenFolder] = await stateFolders(runFolder);
  const name = (await takeFree(freeFolder, takenFolder)) ?? (await create(takenFolder, migrate));
  const contents: Contents = JSON.parse(await readFile(join(takenFolder, name), "utf8"));
  return {
    url: urlOf(name),
    async release() {
      if (await restored(name, contents)) await rename(join(takenFolder, name), join(freeFolder, name));
      else await drop(takenFolder, name);
    },
  };
}

/** Makes a database without tables, which `release` drops. */
export function emptyDatabase(runFolder: string): Promise<TestDatabase> {
  return copiedDatabase(runFolder, "template1");
}

/** Copies a database, which must have no open connections. `release` drops the copy. */
export async function copiedDatabase(runFolder: string, original: string): Promise<TestDatabase> {
  const [, takenFolder] = await stateFolders(runFolder);
  const name = `vigil_test_${randomBytes(8).toString("hex")}`;
  await writeFile(join(takenFolder, name), "{}");
  await onServer((client) => client.query(`create database ${name} template ${original}`));
  return { url: urlOf(name), release: () => drop(takenFolder, name) };
}

/** Drops every database of a run. */
export async function dropDatabases(runFolder: string): Promise<void> {
  for (const folder of await stateFolders(runFolder)) {
    for (const name of await readdir(folder)) await drop(folder, name);
  }
}

async function stateFolders(runFolder: string): Promise<readonly [freeFolder: string, takenFolder: string]> {
  const folders = [join(runFolder, "free-databases"), join(runFolder, "taken-databases")] as const;
  for (const folder of folders) await mkdir(folder, { recursive: true });
  return folders;
}

async function takeFree(freeFolder: string, takenFolder: string): Promise<string | undefined> {
  for (const name of await readdir(freeFolder)) {
    try {
      await rename(join(freeFolder, name), join(takenFolder, name));
      return name;
    } catch (error) {
      // Another test file has taken the database.
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  }
  return undefined;
}

async function create(takenFolder: string, migrate: (url: string) => Promise<void>): Promise<string> {
  const name = `vigil_test_${randomBytes(8).toString("hex")}`;
  await writeFile(join(takenFolder, name), "{}");
  await onServer(async (client) => {
    await client.query(`create database ${name}`);
    // Commits do not wait for the disk. Only a crash of the server could lose them, and no test crashes this server.
    await client.query(`alter database ${name} set synchronous_commit = off`);
  });
  await migrate(urlOf(name));
  const contents = await onServer(contentsOf, name);
  await writeFile(join(takenFolder, name), JSON.stringify(contents));
  return name;
}

async function drop(folder: string, name: string): Promise<void> {
  await onServer((client) => client.query(`drop database if exists ${name} with (force)`));
  await rm(join(folder, name), { force: true });
}

function urlOf(name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

/** The name under which the connections that restore databases appear to the server. */
const RESTORER = "vigil test restorer";

/**
 * The connections that restore databases. They stay open until the process ends: a new connection takes several times
 * as long, because it must first read the definitions of all tables.
 */
const restorers = new Map<string, pg.Client>();

async function restorerOf(name: string): Promise<pg.Client> {
  const open = restorers.get(name);
  if (open && (await isAlive(open))) return open;
  // A connection that is lost, or in a failed transaction, is closed.
  await open?.end();
  const client = new pg.Client({ connectionString: urlOf(name), application_name: RESTORER });
  // An error needs no handling, because `isAlive` detects a lost connection before its next use.
  client.on("error", () => undefined);
  await client.connect();
  // An idle connection must not keep the process alive. The types of `pg` lack the method.
  (client as pg.Client & { unref(): void }).unref();
  restorers.set(name, client);
  return client;
}

/** Returns false if the connection is lost, for example because the test has ended all connections of its database. */
function isAlive(client: pg.Client): Promise<boolean> {
  return client.query("select 1").then(
    () => true,
    () => false,
  );
}

/** Restores the contents that the database had when it was new. Returns false if the tables have changed. */
async function restored(name: string, contents: Contents): Promise<boolean> {
  const client = await restorerOf(name);
  await client.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name <> $2",
    [name, RESTORER],
  );
  const tables = await tablesOf(client);
  if (tables.join() !== Object.keys(contents).toSorted().join()) return false;
  await client.query(restoringStatements(client, contents));
  return true;
}

/** Joins all statements, because hundreds of tests would otherwise wait for some eighty round trips each. */
function restoringStatements(client: pg.Client, contents: Contents): string {
  const inserts = Object.entries(contents).flatMap(([table, rows]) => {
    const values = client.escapeLiteral(JSON.stringify(rows));
    return rows.length === 0
      ? []
      : [`insert into "${table}" select * from json_populate_recordset(null::"${table}", ${values})`];
  });
  return [
    "begin",
    // Deleting takes a twentieth of the time of truncating, which makes new files.
    ...Object.keys(contents).map((table) => `delete from "${table}"`),
    "select setval(format('%I', sequencename)::regclass, 1, false) from pg_sequences",
    ...inserts.toReversed(),
    "commit",
  ].join(";");
}

/** Sorts tables: each table comes before the tables that it refers to. */
async function childrenFirst(client: pg.Client, tables: readonly string[]): Promise<readonly string[]> {
  const { rows } = await client.query<{ child: string; parent: string }>(`
    select a.relname as child, b.relname as parent from pg_constraint c
    join pg_class a on a.oid = c.conrelid join pg_class b on b.oid = c.confrelid
    where c.contype = 'f' and c.conrelid <> c.confrelid`);
  const ordered: string[] = [];
  while (ordered.length < tables.length) {
    const left = tables.filter((table) => !ordered.includes(table));
    const next = left.filter((table) => !rows.some(({ child, parent }) => parent === table && left.includes(child)));
    if (next.length === 0) throw new Error(`tables refer to each other in a cycle: ${left.join(", ")}`);
    ordered.push(...next);
  }
  return ordered;
}

async function contentsOf(client: pg.Client): Promise<Contents> {
  const contents: Record<string, readonly object[]> = {};
  for (const table of await childrenFirst(client, await tablesOf(client))) {
    const { rows } = await client.query<{ row: object }>(`select row_to_json(t) as row from "${table}" t`);
    contents[table] = rows.map(({ row }) => row);
  }
  return contents;
}

/** The names of all tables, in alphabetical order. */
async function tablesOf(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ tablename: string }>(
    "select tablename from pg_tables where schemaname = 'public' order by tablename",
  );
  return rows.map(({ tablename }) => tablename);
}

/** Runs statements on the server. If `name` is given, runs them in that database of the run. */
export async function onServer<T>(run: (client: pg.Client) => Promise<T>, name?: string): Promise<T> {
  const client = new pg.Client({ connectionString: name === undefined ? server : urlOf(name) });
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end();
  }
}
