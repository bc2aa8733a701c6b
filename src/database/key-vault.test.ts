import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isWrapped, keyVault, VAULT_FILE } from "./key-vault.js";

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "vigil-vault-"));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const SECRET = "s".repeat(32);
const opened = (secret?: string) => keyVault({ secret, dataDir });

test("a wrapped key does not contain the plain key, and every vault with the same folder can unwrap the key", () => {
  const wrapped = opened().wrap("the secret", "key one");
  expect(isWrapped(wrapped)).toBe(true);
  expect(wrapped).not.toContain(Buffer.from("the secret").toString("base64").slice(0, 8));
  expect(opened().unwrap(wrapped, "key one")).toBe("the secret");
});

test("a wrapped key cannot be unwrapped with another secret or name, or if its text has been changed", async () => {
  const wrapped = opened(SECRET).wrap("the secret", "key one");
  expect(opened(SECRET).unwrap(wrapped, "key two")).toBeUndefined();
  expect(opened("t".repeat(32)).unwrap(wrapped, "key one")).toBeUndefined();
  expect(opened(SECRET).unwrap(`${wrapped.slice(0, -8)}AAAAAAA=`, "key one")).toBeUndefined();
  expect(opened(SECRET).unwrap("wrapped:1:", "key one")).toBeUndefined();
});

test("a key that was stored unwrapped before the vault existed is returned unchanged", () => {
  expect(opened().unwrap('{"d":"x"}', "key one")).toBe('{"d":"x"}');
});

test("the vault file is created once, private to the owner, without leftover files", async () => {
  opened();
  const first = await readFile(join(dataDir, VAULT_FILE), "utf8");
  opened();
  expect(await readFile(join(dataDir, VAULT_FILE), "utf8")).toBe(first);
  expect((await stat(join(dataDir, VAULT_FILE))).mode & 0o777).toBe(0o600);
  expect(await readdir(dataDir)).toEqual([VAULT_FILE]);
});

test("a secret from a setting creates no file", async () => {
  opened(SECRET);
  expect(await readdir(dataDir)).toEqual([]);
});

test("the error for a short secret states its length instead of the secret", () => {
  expect(() => opened("hunter2")).toThrow(/^VIGIL_KEY_SECRET must have at least 32 characters, got 7$/);
});
