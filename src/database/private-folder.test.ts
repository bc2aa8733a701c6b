import { chmod, mkdir, mkdtemp, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openDatabase } from "./open.js";
import { tightenFolder } from "./private-folder.js";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "vigil-private-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const modeOf = async (...path: string[]): Promise<number> => (await stat(join(folder, ...path))).mode & 0o7777;

async function fill(): Promise<void> {
  await mkdir(join(folder, "bodies"));
  for (const name of ["vigil.db", "owner.key", "bodies/abc", "notes"]) await writeFile(join(folder, name), "x");
  for (const name of ["vigil.db", "owner.key", "bodies/abc", "notes"]) await chmod(join(folder, name), 0o644);
  await chmod(join(folder, "bodies"), 0o755);
}

test("a folder that others can read becomes private, with everything in it", async () => {
  await fill();
  await chmod(folder, 0o755);
  await tightenFolder(folder);
  expect(await modeOf()).toBe(0o700);
  expect(await modeOf("bodies")).toBe(0o700);
  for (const name of ["vigil.db", "owner.key", "bodies/abc", "notes"]) expect(await modeOf(name)).toBe(0o600);
});

test("a folder with the sticky bit stays open, and the service's files in it become private", async () => {
  await fill();
  await chmod(folder, 0o1777);
  await tightenFolder(folder);
  expect(await modeOf()).toBe(0o1777);
  expect(await modeOf("notes")).toBe(0o644);
  for (const name of ["vigil.db", "owner.key", "bodies/abc"]) expect(await modeOf(name)).toBe(0o600);
});

test("the target of a symbolic link is not changed", async () => {
  const elsewhere = await mkdtemp(join(tmpdir(), "vigil-elsewhere-"));
  try {
    await writeFile(join(elsewhere, "file"), "x", { mode: 0o644 });
    await chmod(join(elsewhere, "file"), 0o644);
    await symlink(join(elsewhere, "file"), join(folder, "link"));
    await chmod(folder, 0o755);
    await tightenFolder(folder);
    expect((await stat(join(elsewhere, "file"))).mode & 0o777).toBe(0o644);
  } finally {
    await rm(elsewhere, { recursive: true });
  }
});

test("opening a store makes its SQLite files private, whether they are new or already exist", async () => {
  await chmod(folder, 0o755);
  const open = await openDatabase({ dataDir: folder });
  const files = ["vigil.db", "vigil.db-wal", "vigil.db-shm"];
  for (const name of files) expect(await modeOf(name)).toBe(0o600);
  expect(await modeOf()).toBe(0o700);
  await open.close();
  await chmod(join(folder, "vigil.db"), 0o644);
  const again = await openDatabase({ dataDir: folder });
  for (const name of files) expect(await modeOf(name)).toBe(0o600);
  await again.close();
});
