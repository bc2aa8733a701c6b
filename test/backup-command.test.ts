import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { commandHostForAll, processRoomForEach } from "./support/process.js";
import { json, NOON, type Stack, startStack } from "./support/stack.js";

const room = processRoomForEach("backup-command");
const command = commandHostForAll();

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ filled: ["earthquakes", "us-cpi"], datasets: ["earthquakes", "us-cpi"] });
}, 120_000);
afterAll(() => stack.close());

const LIST = "/api/seismology/v1/list-earthquakes";
const TARGETS = [
  `${LIST}?page_size=20`,
  `${LIST}?format=csv`,
  `${LIST}?as_of=${NOON}`,
  "/api/economic/v1/get-us-cpi-monthly?history=true",
  "/api/proofs/v1/get-inclusion-proof?dataset=us-cpi&generation=1",
  "/.well-known/vigil-keys.json",
];

async function served(key: string, cursor: string) {
  const targets = [...TARGETS, `${LIST}?page_size=20&cursor=${encodeURIComponent(cursor)}`];
  const answers = await Promise.all(targets.map((target) => stack.get(target, { "x-service-key": key })));
  return answers.map(({ status, headers, body }, index) => [
    targets[index],
    status,
    headers["ETag"],
    headers["X-Vigil-Generation"],
    String(body),
  ]);
}

describe("vigil backup and vigil restore", { timeout: 120_000 }, () => {
  test("restore a service with the same answers, ETags, cursors, proofs and keys", async () => {
    const key = stack.service.access.ownerKey.key ?? "";
    const first = json(await stack.get(`${LIST}?page_size=20`)) as { pagination: { nextCursor: string } };
    const { nextCursor } = first.pagination;
    const before = await served(key, nextCursor);
    expect(before.map(([, status]) => status)).toEqual(before.map(() => 200));
    const folder = join(room.folder, "backup");
    const env = { VIGIL_DATA_DIR: stack.dataDir };
    const backup = await command(["backup", folder, "--demo", "--json"], env);
    expect([backup.code, JSON.parse(backup.printed)]).toEqual([
      0,
      expect.objectContaining({ folder, kind: "demo", bodies: 2, newBodies: 2, damagedBodies: [] }),
    ]);

    const refused = await command(["restore", folder], env);
    expect([refused.code, refused.output]).toEqual([1, expect.stringContaining("choose an empty or a new folder")]);
    await stack.service.close();
    await rm(stack.dataDir, { recursive: true });
    const checked = await command(["restore", folder, "--check"], env);
    expect([checked.code, checked.printed]).toEqual([0, expect.stringMatching(/^The backup of .* is whole\n$/)]);
    const restored = await command(["restore", folder], env);
    expect([restored.code, restored.printed]).toEqual([0, expect.stringContaining("`vigil demo` starts it")]);
    await stack.restart();
    expect(stack.service.access.ownerKey.key).toBe(key);
    expect(await served(key, nextCursor)).toEqual(before);
  });

  test("report the name of a backup folder that cannot be written", async () => {
    const file = join(room.folder, "file");
    await writeFile(file, "");
    const { code, output } = await command(["backup", join(file, "backup"), "--demo"], {
      VIGIL_DATA_DIR: stack.dataDir,
    });
    expect([code, output]).toEqual([1, expect.stringContaining(`${join(file, "backup")} cannot be written (ENOTDIR)`)]);
  });

  test("refuse a store that does not exist, and a folder without a backup", async () => {
    const env = { VIGIL_DATA_DIR: join(room.folder, "none") };
    const backup = await command(["backup", join(room.folder, "backup")], env);
    expect([backup.code, backup.output]).toEqual([1, expect.stringContaining("there is no store yet")]);
    const restored = await command(["restore", room.folder], env);
    expect([restored.code, restored.output]).toEqual([1, expect.stringContaining("holds no complete backup")]);
  });
});
