import { accessSync, constants, mkdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { DatabaseLocation } from "../database/database-location.js";
import { openDatabase, SQLITE_FILE } from "../database/open.js";
import type { OpenDatabase } from "../database/open-database.js";
import { addressesIn } from "../database/postgres-addresses.js";
import { storeKindAt } from "../database/probe.js";
import { claimStore, OtherStoreKind, type StoreKind } from "../database/store-mark.js";
import { refuseHalfRestored } from "../database/unfinished-restore.js";
import { OperatorError } from "../kit/operator-error.js";
import { ConfigError } from "./config.js";

/** The display name of a store: its folder, or its server and database without credentials. */
export function storeName({ url, dataDir }: DatabaseLocation): string {
  return url ? `PostgreSQL at ${postgresName(url)}` : `SQLite in ${resolve(dataDir)}`;
}

/** Opens a store, or creates it if it is missing. `kind` is the kind of its data. Throws `OperatorError`. */
export async function openStore(location: DatabaseLocation, kind: StoreKind): Promise<OpenDatabase> {
  try {
    if (!location.url) {
      refuseHalfRestored(location.dataDir);
      prepareFolder(location.dataDir);
    }
    const database = await openDatabase(location);
    try {
      await claimStore(database, kind);
      return database;
    } catch (error) {
      await database.close();
      throw error;
    }
  } catch (error) {
    throw storeFailure(error, location);
  }
}

/**
 * Checks the store of a command that has the option `--demo`. Throws `OperatorError` if the store has demo data but
 * real data is expected, or the reverse. Also throws if the store is missing and `create` is not true, so that no
 * command creates a store by mistake. `create` is undefined for a command without the option `--create`.
 */
export async function checkStore(
  location: DatabaseLocation,
  expected: StoreKind,
  create: boolean | undefined,
): Promise<void> {
  const kind = await storeKindAt(location).catch((error: unknown) => {
    throw storeFailure(error, location);
  });
  if (kind !== undefined && kind !== expected) throw new OtherStoreKind(kind, storeName(location));
  if (kind !== undefined || create === true) return;
  const ways = `\`vigil ${expected === "demo" ? "demo" : "serve"}\`${create === undefined ? "" : " or --create"}`;
  throw new OperatorError(`there is no store yet: ${storeName(location)}; ${ways} creates one`);
}

/** Creates the folder if it is missing. Throws the file system's error. */
function prepareFolder(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  if (!statSync(dataDir).isDirectory()) throw Object.assign(new Error("not a folder"), { code: "ENOTDIR" });
  accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
}

/** Translates a common failure to open a store into a sentence with a remedy. Returns other errors unchanged. */
export function storeFailure(error: unknown, location: DatabaseLocation): unknown {
  if (error instanceof OperatorError) return error;
  const causes = causesOf(error);
  const sentences = location.url ? postgresSentence(causes, location.url) : sqliteSentence(causes, location.dataDir);
  const sentence = folderSentence(causes, location.dataDir) ?? sentences;
  return sentence === undefined ? error : new OperatorError(sentence, { cause: error });
}

interface Cause {
  readonly code: string;
  readonly message: string;
  readonly syscall: string | undefined;
}

const CAUSES_MAX = 8;

/** An error and its causes, outermost first. */
function causesOf(error: unknown): readonly Cause[] {
  const causes: Cause[] = [];
  let current = error;
  while (current instanceof Error && causes.length < CAUSES_MAX) {
    const { code, syscall, message } = current as NodeJS.ErrnoException;
    causes.push({ code: typeof code === "string" ? code : "", message, syscall });
    // Node combines the errors of all addresses of a host in one AggregateError, of which the first error is used.
    current = current instanceof AggregateError ? current.errors[0] : current.cause;
  }
  return causes;
}

const find = (causes: readonly Cause[], codes: RegExp): Cause | undefined =>
  causes.find(({ code }) => codes.test(code));

function folderSentence(causes: readonly Cause[], dataDir: string): string | undefined {
  const path = resolve(dataDir);
  if (find(causes, /^(?:ENOTDIR|EEXIST)$/)) {
    return `the data folder ${path} is a file or is inside one; set VIGIL_DATA_DIR to a folder`;
  }
  const denied = find(causes, /^(?:EACCES|EPERM|EROFS)$/);
  if (denied && denied.syscall !== "connect") {
    return `the data folder ${path} cannot be written (${denied.code}); give this user write permission, or set VIGIL_DATA_DIR to another folder`;
  }
  if (find(causes, /^(?:ENOSPC|EDQUOT|SQLITE_FULL)$/))
    return `the disk of the data folder ${path} is full; free some space`;
  return undefined;
}

function sqliteSentence(causes: readonly Cause[], dataDir: string): string | undefined {
  const file = join(resolve(dataDir), SQLITE_FILE);
  const driver = causes.find(
    ({ code, message }) => code === "ERR_DLOPEN_FAILED" || /NODE_MODULE_VERSION/.test(message),
  );
  if (driver) {
    return `better-sqlite3 was built for a Node.js version other than this one (${process.version}); run \`npm rebuild better-sqlite3\`, or set DATABASE_URL to use PostgreSQL`;
  }
  const missing = causes.find(({ message }) => /^better-sqlite3 could not be loaded|bindings file/.test(message));
  if (missing) {
    return "better-sqlite3 could not be loaded, because its native part was not built; run `npm rebuild better-sqlite3` (if no prebuilt part can be downloaded, this needs python3, make and a C++ compiler), or set DATABASE_URL to use PostgreSQL";
  }
  const closed = find(causes, /^SQLITE_(?:CANTOPEN|READONLY|IOERR|PERM)/);
  if (closed) return `${file} cannot be opened or written (${closed.code}); check its owner, permissions and disk`;
  const locked = find(causes, /^SQLITE_(?:BUSY|LOCKED)/);
  if (locked) return `${file} is locked by another process; stop it, or try again`;
  const broken = find(causes, /^SQLITE_(?:NOTADB|CORRUPT)/);
  if (broken)
    return `${file} is not a SQLite database or is damaged; restore a backup, or set VIGIL_DATA_DIR to another folder`;
  return undefined;
}

function postgresSentence(causes: readonly Cause[], url: string): string | undefined {
  const name = postgresName(url);
  if (find(causes, /^ERR_INVALID_URL$/) || !addressesIn(url).every((address) => URL.canParse(address))) {
    return "DATABASE_URL is not an address like postgres://user:password@host:5432/database";
  }
  const [refused, user] = [find(causes, /^28/), find(causes, /^42501$/)];
  if (refused) return `PostgreSQL at ${name} refuses the user or the password of DATABASE_URL (${refused.message})`;
  if (user) return `PostgreSQL at ${name} does not let the user of DATABASE_URL create tables (${user.message})`;
  if (find(causes, /^25006$/)) {
    return `PostgreSQL at ${name} accepts no writes; set DATABASE_URL to its primary, or to all servers of the cluster: postgres://user@one,two/database`;
  }
  if (find(causes, /^3D000$/)) return `PostgreSQL at ${name} has no such database; create it, or correct DATABASE_URL`;
  const cause = causes.find(({ code, message }) => NO_CONNECTION.test(code) || /timeout|terminated/i.test(message));
  if (!cause) return undefined;
  return `PostgreSQL at ${name} cannot be reached (${cause.code || cause.message}); start it, or correct DATABASE_URL`;
}

/**
 * Codes of socket errors and failed host look-ups, and PostgreSQL's codes for a failed connection and for a server that
 * is starting up, is shutting down or has no free connection.
 */
const NO_CONNECTION = /^(?:E(?:CONN|HOST|NET|TIMEDOUT|NOTFOUND|AI_|PIPE|NOENT)|08|57P0|53300)/;

/** Host, port and database without user and password. */
function postgresName(url: string): string {
  const names = addressesIn(url).map((address) => {
    if (!URL.canParse(address)) return undefined;
    const { hostname, port, pathname, searchParams } = new URL(address);
    return [`${hostname || searchParams.get("host") || "localhost"}:${port || "5432"}`, pathname] as const;
  });
  const servers = names.map((name) => name?.[0]);
  return servers.includes(undefined) ? "an unreadable address" : `${servers.join(",")}${names[0]?.[1] ?? ""}`;
}

/** Translates a failure to listen into a sentence for the operator. Returns other errors unchanged. */
export function listenFailure(error: unknown, host: string, port: number): unknown {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  const at = `${host}:${port}`;
  const sentences: Readonly<Record<string, string>> = {
    EADDRINUSE: `${at} is in use by another program; stop it, or set VIGIL_PORT to another port`,
    EACCES: `this user may not listen on ${at}; set VIGIL_PORT to a port of at least 1024`,
    EADDRNOTAVAIL: `${host} is not an address of this machine; set VIGIL_HOST to one`,
    ENOTFOUND: `${host} is not an address of this machine; set VIGIL_HOST to one`,
    EAI_AGAIN: `${host} cannot be looked up; set VIGIL_HOST to an address of this machine`,
  };
  const sentence = code === undefined ? undefined : sentences[code];
  return sentence === undefined ? error : new ConfigError(sentence);
}
