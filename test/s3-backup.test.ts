import { execFile } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { objectStore } from "../src/backup/s3/object-store.js";
import { sha256Hex } from "../src/backup/s3/sign-request.js";
import { bodyStore } from "../src/database/bodies.js";
import { openDatabase } from "../src/database/open.js";
import { claimStore } from "../src/database/store-mark.js";
import { systemClock } from "../src/kit/clock.js";
import { snapshotStore } from "../src/snapshots/store.js";
import { commandHostForAll, processRoomForEach } from "./support/process.js";
import { BUCKET, type S3Server, s3Keys, startS3Server } from "./support/s3-server.js";
import { buildOf, finishedRun } from "./support/stores.js";

const room = processRoomForEach("s3");
const command = commandHostForAll();
const run = promisify(execFile);

let server: S3Server;
beforeEach(async () => {
  server = await startS3Server();
});
afterEach(() => server.close());

const curl = await run("curl", ["--version"]).then(
  ({ stdout }) => stdout.split("\n")[0] ?? "",
  () => "",
);
const CURL_SIGNS = /^curl (?:7\.(?:7[5-9]|[89]\d)|[89]\.)/.test(curl);

describe("the S3-compatible store of these tests", () => {
  test.skipIf(!CURL_SIGNS)(
    `accepts requests that curl has signed, and refuses those signed with another key${CURL_SIGNS ? "" : " (skipped: no curl that signs)"}`,
    async () => {
      const put = async (secret: string): Promise<string> => {
        const user = ["--user", `${s3Keys.AWS_ACCESS_KEY_ID}:${secret}`, "--aws-sigv4", "aws:amz:eu-north-1:s3"];
        const body = ["-X", "PUT", "--data-binary", "hello", "-H", `x-amz-content-sha256: ${sha256Hex("hello")}`];
        const { stdout } = await run("curl", ["-s", ...user, ...body, `${server.endpoint}/${BUCKET}/a/b.txt`]);
        return stdout;
      };
      expect(await put(s3Keys.AWS_SECRET_ACCESS_KEY)).toBe("");
      expect(server.objects.get("a/b.txt")?.bytes.toString()).toBe("hello");
      expect(await put("another")).toContain("SignatureDoesNotMatch");
    },
  );
});

describe("requests to an S3-compatible store", () => {
  const open = (changes: object = {}) =>
    objectStore({
      endpoint: server.endpoint,
      bucket: BUCKET,
      credentials: {
        accessKeyId: "KEYID",
        secretAccessKey: "s3cret/key+",
        sessionToken: undefined,
        region: "eu-north-1",
      },
      now: systemClock.now,
      random: () => 0,
      ca: undefined,
      proxies: { httpProxy: undefined, httpsProxy: undefined, noProxy: undefined },
      signal: new AbortController().signal,
      pauseMs: 1,
      silenceMs: 200,
      ...changes,
    });
  const objects = open;

  test("are signed correctly for any object name, and a list includes all pages", async () => {
    const store = objects();
    const keys = ["a b/ü", "a!'()*", "a+b=&?", "a%20", "a/1", "a/2", "a/3"];
    for (const key of keys) await store.putText(key, key);
    expect((await store.list("a")).map(({ key, bytes }) => [key, bytes])).toEqual(
      keys.toSorted().map((key) => [key, Buffer.byteLength(key)]),
    );
    const file = join(room.folder, "file");
    for (const key of keys) {
      expect(await store.getFile(key, file)).toBe(true);
      expect(await readFile(file, "utf8")).toBe(key);
    }
    await store.remove("a%20");
    expect(await store.getFile("a%20", file)).toBe(false);
    await store.close();
  });

  test.each([
    { what: "errors of the service", faults: [500, 503, 429] as const },
    { what: "answers that are cut off", faults: ["cut", "cut"] as const },
    { what: "a service that does not respond", faults: ["silent", "silent"] as const },
  ])("are repeated after $what", async ({ faults }) => {
    const store = objects();
    await store.putText("a", "x".repeat(100_000));
    server.faults.push(...faults);
    const file = join(room.folder, "file");
    expect(await store.getFile("a", file)).toBe(true);
    expect((await readFile(file, "utf8")).length).toBe(100_000);
    const source = join(room.folder, "source");
    await writeFile(source, "content");
    server.faults.push(...faults);
    await store.putFile("b", source, 7, sha256Hex("content"));
    expect(server.objects.get("b")?.bytes.toString()).toBe("content");
    await store.close();
  });

  test("fail with an error message after six attempts, or at once for permanent errors", async () => {
    const store = objects();
    server.faults.push(...Array<number>(20).fill(500));
    await expect(store.putText("a", "x")).rejects.toThrow(
      "s3://bucket/a cannot be reached after 6 attempts (500 InternalError); try again later",
    );
    expect(server.requests).toHaveLength(6);
    server.faults.length = 0;
    const wrong = open({
      credentials: { accessKeyId: "KEYID", secretAccessKey: "x", sessionToken: undefined, region: "r" },
    });
    await expect(wrong.putText("a", "x")).rejects.toThrow(
      "s3://bucket/a is refused (SignatureDoesNotMatch); check AWS_ACCESS_KEY_ID",
    );
    const elsewhere = open({ bucket: "another" });
    await expect(elsewhere.putText("a", "x")).rejects.toThrow("there is no such bucket");
    expect(server.requests).toHaveLength(8);
    await Promise.all([store.close(), wrong.close(), elsewhere.close()]);
  });
});

describe("vigil backup and vigil restore with s3://", { timeout: 120_000 }, () => {
  const PLACE = `s3://${BUCKET}/backups/vigil/`;
  const envOf = (dataDir: string) => ({
    VIGIL_DATA_DIR: dataDir,
    TMPDIR: room.folder,
    AWS_ENDPOINT_URL: server.endpoint,
    ...s3Keys,
  });

  async function filled(): Promise<string> {
    const dataDir = join(room.folder, "store");
    await published(dataDir, 1);
    return dataDir;
  }

  async function published(dataDir: string, count: number): Promise<void> {
    const database = await openDatabase({ dataDir });
    await claimStore(database, "real");
    const store = snapshotStore(database, bodyStore(database, dataDir, systemClock));
    const rows = Array.from({ length: 500 }, (_, id) => ({ id, value: count * id }));
    await store.publish("rows", buildOf({ rows }), finishedRun("rows", count), count);
    await database.close();
  }

  test("restore a store, copy only new bodies, survive faults and leave no temporary files", async () => {
    const dataDir = await filled();
    server.faults.push(500, "cut");
    const first = await command(["backup", PLACE, "--json"], envOf(dataDir));
    expect([first.code, JSON.parse(first.printed)]).toEqual([
      0,
      expect.objectContaining({ folder: "s3://bucket/backups/vigil/", bodies: 1, newBodies: 1 }),
    ]);
    await published(dataDir, 2);
    const second = await command(["backup", PLACE, "--json"], envOf(dataDir));
    expect(JSON.parse(second.printed)).toMatchObject({ bodies: 2, newBodies: 1 });
    const manifest = server.objects.get("backups/vigil/manifest.json")?.bytes.toString() ?? "";
    const named = [...manifest.matchAll(/"path": "([^"]+)"/g)].map(([, path]) => `backups/vigil/${path}`);
    expect([...server.objects.keys()].sort()).toEqual([...named, "backups/vigil/manifest.json"].sort());

    const to = join(room.folder, "restored");
    server.faults.push("cut", 503);
    const restored = await command(["restore", PLACE], envOf(to));
    expect([restored.code, restored.printed]).toEqual([0, expect.stringContaining("Restored the backup of")]);
    const verified = await command(["verify"], { VIGIL_DATA_DIR: to });
    expect(verified.printed).toContain("2 generations, 2 bodies");
    expect(verified.code).toBe(0);
    // Each command made a temporary folder in the folder of the test, and has removed it.
    expect((await readdir(room.folder)).sort()).toEqual(["restored", "store"]);
    expect(first.output + second.output + restored.output).not.toContain(s3Keys.AWS_SECRET_ACCESS_KEY);
  });

  test("report a changed object, a missing object, unrelated objects and missing credentials", async () => {
    const dataDir = await filled();
    await command(["backup", PLACE], envOf(dataDir));
    const check = () => command(["restore", PLACE, "--check"], envOf(dataDir));
    const key = [...server.objects.keys()].find((name) => name.includes("/bodies/")) ?? "";
    const whole = server.objects.get(key);
    server.objects.set(key, { bytes: Buffer.from("other"), storedAt: 0 });
    expect((await check()).output).toContain(`s3://bucket/${key} is damaged; use another copy of the backup`);
    server.objects.delete(key);
    expect((await check()).output).toContain(`s3://bucket/${key} is missing`);
    if (whole) server.objects.set(key, whole);
    expect((await check()).code).toBe(0);
    server.objects.set("backups/vigil/letter", { bytes: Buffer.alloc(0), storedAt: 0 });
    expect((await command(["backup", PLACE], envOf(dataDir))).output).toContain("holds other files (letter)");
    const without = await command(["backup", PLACE], { VIGIL_DATA_DIR: dataDir });
    expect([without.code, without.output]).toEqual([
      1,
      expect.stringContaining("needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"),
    ]);
  });
});
