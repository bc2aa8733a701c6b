import { describe, expect, test } from "vitest";
import { OperatorError } from "../kit/operator-error.js";
import { listenFailure, storeFailure, storeName } from "./open-store.js";

const dataDir = "/srv/vigil";
const url = "postgres://vigil:hidden@db.example:6432/vigil";

/** An error like those of Node, SQLite and PostgreSQL. */
const coded = (code: string, message = code, syscall?: string): Error =>
  Object.assign(new Error(message), { code, ...(syscall !== undefined && { syscall }) });

/**
 * Returns the message that the operator gets for an error. Checks that the message is the same if the error is the
 * cause of another error.
 */
function sentenceFor(error: Error, location: { readonly url?: string; readonly dataDir: string }): string {
  const wrapped = new Error("the store could not be brought to this version's schema", { cause: error });
  const [plain, caused] = [storeFailure(error, location), storeFailure(wrapped, location)];
  expect(plain).toBeInstanceOf(OperatorError);
  expect((caused as Error).message).toBe((plain as Error).message);
  return (plain as Error).message;
}

describe("SQLite", () => {
  test.each([
    {
      error: coded("EROFS"),
      sentence: "the data folder /srv/vigil cannot be written (EROFS); give this user write permission",
    },
    { error: coded("EACCES", "", "mkdir"), sentence: "cannot be written (EACCES)" },
    { error: coded("ENOSPC"), sentence: "the disk of the data folder /srv/vigil is full; free some space" },
    { error: coded("SQLITE_READONLY_DBMOVED"), sentence: "/srv/vigil/vigil.db cannot be opened or written" },
    { error: coded("SQLITE_BUSY"), sentence: "/srv/vigil/vigil.db is locked by another process" },
    { error: coded("SQLITE_NOTADB"), sentence: "/srv/vigil/vigil.db is not a SQLite database or is damaged" },
    {
      error: coded(
        "ERR_DLOPEN_FAILED",
        "was compiled against a different Node.js version using NODE_MODULE_VERSION 115",
      ),
      sentence: `better-sqlite3 was built for a Node.js version other than this one (${process.version}); run \`npm rebuild better-sqlite3\``,
    },
    { error: new Error("Could not locate the bindings file. Tried:"), sentence: "its native part was not built; run" },
  ])("the error $error.message becomes $sentence", ({ error, sentence }) => {
    expect(sentenceFor(error, { dataDir })).toContain(sentence);
  });
});

describe("PostgreSQL", () => {
  const at = "PostgreSQL at db.example:6432/vigil";
  test.each([
    {
      error: coded("ECONNREFUSED", "connect ECONNREFUSED", "connect"),
      sentence: `${at} cannot be reached (ECONNREFUSED); start it`,
    },
    { error: coded("ENOTFOUND"), sentence: `${at} cannot be reached (ENOTFOUND)` },
    { error: new Error("timeout expired"), sentence: `${at} cannot be reached (timeout expired)` },
    { error: coded("57P03", "the database system is starting up"), sentence: `${at} cannot be reached (57P03)` },
    { error: coded("28P01", "password authentication failed"), sentence: `${at} refuses the user or the password` },
    { error: coded("3D000"), sentence: `${at} has no such database; create it` },
    { error: coded("42501", "permission denied for schema public"), sentence: `${at} does not let the user` },
    { error: coded("EACCES", "", "open"), sentence: "the data folder /srv/vigil cannot be written (EACCES)" },
  ])("the error $error.message becomes $sentence, without the password", ({ error, sentence }) => {
    const message = sentenceFor(error, { url, dataDir });
    expect(message).toContain(sentence);
    expect(message).not.toContain("hidden");
  });

  test("if all addresses of a host fail, the message names the first failure", () => {
    const attempts = new AggregateError([coded("ECONNREFUSED"), coded("ENETUNREACH")]);
    expect(sentenceFor(attempts, { url, dataDir })).toContain("(ECONNREFUSED)");
  });

  test("an invalid address is not repeated in the message", () => {
    const broken = { url: "postgres://u:hidden@:5432:1/x", dataDir };
    expect(sentenceFor(new Error("Invalid URL"), broken)).toMatch(/^DATABASE_URL is not an address like postgres:/);
    expect(storeName(broken)).not.toContain("hidden");
  });
});

test("an unknown error is returned unchanged, with its stack", () => {
  const bug = new TypeError("undefined is not a function");
  expect(storeFailure(bug, { dataDir })).toBe(bug);
  expect(storeFailure(bug, { url, dataDir })).toBe(bug);
  expect(listenFailure(bug, "127.0.0.1", 80)).toBe(bug);
});

test.each([
  ["EADDRINUSE", "127.0.0.1:80 is in use by another program; stop it, or set VIGIL_PORT to another port"],
  ["EACCES", "this user may not listen on 127.0.0.1:80; set VIGIL_PORT to a port of at least 1024"],
  ["EADDRNOTAVAIL", "127.0.0.1 is not an address of this machine; set VIGIL_HOST to one"],
])("the error %s while listening becomes: %s", (code, sentence) => {
  expect(listenFailure(coded(code), "127.0.0.1", 80)).toMatchObject({ name: "ConfigError", message: sentence });
});
