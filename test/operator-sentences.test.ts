import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openDatabase } from "../src/database/open.js";
import { claimStore } from "../src/database/store-mark.js";
import { commandHostForAll, freePort, processRoomForEach } from "./support/process.js";
import { describeEachStore } from "./support/stores.js";

/** Starting a process takes about a second on a busy machine. */
const TEST_MS_MAX = 60_000;

const room = processRoomForEach("operator");
const command = commandHostForAll();

type Env = Readonly<Record<string, string>>;

async function run(args: readonly string[], env: Env = {}) {
  return command(args, { ...envOf(), ...env });
}

/** The environment that every command gets. */
const envOf = (): Env => ({ VIGIL_DATA_DIR: join(room.folder, "data"), VIGIL_LOG_LEVEL: "silent" });

/** Runs a command in its own process, and returns the only sentence that it prints. The command must fail. */
async function lastSentenceOf(args: readonly string[], env: Env = {}): Promise<string> {
  const { ended, output } = room.start(args, { ...envOf(), ...env });
  expect(await ended).toBe(1);
  expect(output().split("\n")).toHaveLength(2);
  return output().trimEnd();
}

/** Like `lastSentenceOf`, but runs the command in a process that it shares with other commands of this file. */
async function sentenceOf(args: readonly string[], env: Env = {}): Promise<string> {
  const { code, output } = await run(args, env);
  expect([code, output.split("\n").length]).toEqual([1, 2]);
  return output.trimEnd();
}

async function makeStore(name: string): Promise<string> {
  const dataDir = join(room.folder, name);
  const database = await openDatabase({ dataDir });
  await claimStore(database, "real");
  await database.close();
  return dataDir;
}

describe("a failing command prints one sentence and no stack trace, and exits with 1", { timeout: TEST_MS_MAX }, () => {
  test("for a port that is in use, and creates no store", async () => {
    const occupant = createServer();
    await new Promise<void>((resolve) => occupant.listen(0, "127.0.0.1", resolve));
    const { port } = occupant.address() as { port: number };
    try {
      expect(
        await lastSentenceOf(["serve"], { VIGIL_PORT: String(port), VIGIL_UPSTREAM_BASE: "http://127.0.0.1:1" }),
      ).toBe(`vigil: 127.0.0.1:${port} is in use by another program; stop it, or set VIGIL_PORT to another port`);
      expect(existsSync(join(room.folder, "data"))).toBe(false);
    } finally {
      occupant.close();
    }
  });

  test("for an address that this machine does not have", async () => {
    expect(await sentenceOf(["serve"], { VIGIL_HOST: "203.0.113.9", VIGIL_PORT: "0" })).toBe(
      "vigil: 203.0.113.9 is not an address of this machine; set VIGIL_HOST to one",
    );
  });

  test("for a data folder that is a file or is inside one", async () => {
    const file = join(room.folder, "file");
    await writeFile(file, "");
    for (const VIGIL_DATA_DIR of [file, join(file, "data")]) {
      expect(await sentenceOf(["serve"], { VIGIL_DATA_DIR })).toBe(
        `vigil: the data folder ${VIGIL_DATA_DIR} is a file or is inside one; set VIGIL_DATA_DIR to a folder`,
      );
    }
  });

  test("for a store that is not a database", async () => {
    await mkdir(join(room.folder, "data"));
    await writeFile(join(room.folder, "data/vigil.db"), "no database".repeat(1_000));
    expect(await lastSentenceOf(["serve"])).toMatch(/^vigil: \S+vigil\.db is not a SQLite database or is damaged; /);
  });

  test("if PostgreSQL is down or its address is invalid, without the password", async () => {
    const port = await freePort();
    const DATABASE_URL = `postgres://u:hidden@127.0.0.1:${port}/vigil`;
    const cannotBeReached = `vigil: PostgreSQL at 127.0.0.1:${port}/vigil cannot be reached (ECONNREFUSED); start it, or correct DATABASE_URL`;
    expect(await lastSentenceOf(["serve"], { DATABASE_URL })).toBe(cannotBeReached);
    expect(await sentenceOf(["accounts"], { DATABASE_URL })).toBe(cannotBeReached);
    expect(await sentenceOf(["serve"], { DATABASE_URL: "postgres:/ /" })).toMatch(/^vigil: .*DATABASE_URL/);
  });

  test("for a port of the simulator that is in use", async () => {
    const occupant = createServer();
    await new Promise<void>((resolve) => occupant.listen(0, "127.0.0.1", resolve));
    const { port } = occupant.address() as { port: number };
    try {
      expect(await sentenceOf(["simulate", "--port", String(port)])).toBe(
        `vigil: port ${port} is in use by another program; choose another --port`,
      );
    } finally {
      occupant.close();
    }
  });

  test.each(["demo", "simulate"])("for a folder without a recording, in vigil %s", async (name) => {
    const file = join(room.folder, "file");
    await writeFile(file, "");
    for (const folder of [join(room.folder, "missing"), file, room.folder]) {
      expect(await sentenceOf([name, "--recorded", folder], { VIGIL_PORT: "0" })).toBe(
        `vigil: ${folder} contains no recording (index.json); \`vigil doctor --sources --save ${folder}\` makes one`,
      );
    }
    await writeFile(join(room.folder, "index.json"), "{");
    expect(await sentenceOf([name, "--recorded", room.folder], { VIGIL_PORT: "0" })).toMatch(
      /^vigil: \S+index\.json cannot be used: .*JSON/,
    );
  });

  test("for a service that is not running", async () => {
    const VIGIL_URL = `http://127.0.0.1:${await freePort()}`;
    expect(await sentenceOf(["datasets"], { VIGIL_URL })).toBe(
      `vigil: no service answers at ${VIGIL_URL} (ECONNREFUSED); start one, or set VIGIL_URL`,
    );
  });

  test("for a mistyped variable", async () => {
    expect(await sentenceOf(["serve"], { VIGIL_PROT: "1" })).toBe(
      "vigil: no setting is called VIGIL_PROT; did you mean VIGIL_PORT?",
    );
  });

  test("for a mistyped command", async () => {
    expect(await sentenceOf(["srve"])).toBe(
      "vigil: there is no command srve; did you mean serve? (vigil --help lists all commands)",
    );
  });
});

describe("a command on a store", { timeout: TEST_MS_MAX }, () => {
  const commands: readonly (readonly [words: readonly string[], ways: string])[] = [
    [["accounts"], "`vigil serve`"],
    [["accounts", "--demo"], "`vigil demo`"],
    [["accounts", "create", "A"], "`vigil serve` or --create"],
    [["keys"], "`vigil serve`"],
    [["audit"], "`vigil serve`"],
    [["backup", "copy"], "`vigil serve`"],
    [["migrate"], "`vigil serve` or --create"],
    [["migrate", "--check"], "`vigil serve`"],
    [["owner-key"], "`vigil serve` or --create"],
    [["ingest", "us-cpi"], "`vigil serve` or --create"],
    [["ingest", "us-cpi", "--demo"], "`vigil demo` or --create"],
  ];

  test.each(commands.map(([words, ways]) => ({ words, ways, name: words.join(" ") })))(
    "$name refuses to create a store, and names what creates one",
    async ({ words, ways }) => {
      const data = join(room.folder, "data");
      expect(await sentenceOf(words)).toBe(`vigil: there is no store yet: SQLite in ${data}; ${ways} creates one`);
      expect(existsSync(data)).toBe(false);
    },
  );

  test("with --create, prints the new store on standard error and only the result on standard output", async () => {
    const ended = await run(["accounts", "create", "Acme", "--id", "acme", "--create"]);
    expect(ended).toMatchObject({
      code: 0,
      printed: "acme\n",
      errors: expect.stringContaining(`Store: SQLite in ${join(room.folder, "data")}\n`),
    });
    expect((await run(["keys", "create", "acme"])).printed).toMatch(/^vgl_[0-9a-f]{48}\n$/);
  });

  test("ingest --demo reports the demo's store and fills it from simulated upstreams", async () => {
    const { code, output } = await run(["ingest", "us-cpi", "--demo", "--create"]);
    expect([code, output]).toEqual([0, expect.stringMatching(/us-cpi\s+ok\s+1\s+\d+/)]);
    expect(output).toContain(`Store: SQLite in ${join(room.folder, "data")}\n`);
    expect(await sentenceOf(["ingest", "us-cpi", "--create"])).toBe(
      `vigil: SQLite in ${join(room.folder, "data")} holds simulated data; add --demo to work on it, or set VIGIL_DATA_DIR (or DATABASE_URL) to another place`,
    );
  });
});

describe("a first start", { timeout: TEST_MS_MAX }, () => {
  test("shows its progress, explains why real upstreams take longer, and logs JSON with ISO times", async () => {
    const started = room.start(["serve"], {
      VIGIL_DATA_DIR: join(room.folder, "data"),
      VIGIL_PORT: "0",
      VIGIL_UPSTREAM_BASE: "http://127.0.0.1:1",
    });
    await expect.poll(() => started.printed(), { timeout: 40_000 }).toMatch(/us-cpi\s+absent/);
    expect(started.printed()).toMatch(/Some take hours or days,\nbecause free services hand out little at a time/);
    expect(started.printed()).toMatch(/^Building: \d+ of \d+$/m);
    const [line = ""] = started.output().match(/^\{.*\}$/m) ?? [];
    expect(JSON.parse(line)).toMatchObject({
      level: expect.stringMatching(/^[a-z]+$/),
      time: expect.stringMatching(/T.*Z$/),
    });
  });
});

await describeEachStore((open, name) => {
  test(`a first start with ${name} creates the data folder and writes the owner's key there`, async () => {
    const { url } = await open();
    const dataDir = join(room.folder, "not/there/yet");
    const started = room.start(["serve"], {
      VIGIL_DATA_DIR: dataDir,
      VIGIL_PORT: "0",
      VIGIL_UPSTREAM_BASE: "http://127.0.0.1:1",
      ...(url !== undefined && { DATABASE_URL: url }),
    });
    await expect.poll(() => started.printed(), { timeout: 40_000 }).toContain(`Your new key is in ${dataDir}`);
    expect(await readFile(join(dataDir, "owner.key"), "utf8")).toMatch(/^vgl_[0-9a-f]{48}\n$/);
    // Kills the service, because it would still write to the store while the store is being emptied after the test.
    started.child.kill("SIGKILL");
    await started.ended;
  }, 60_000);
});

test(
  "a command for one kind of data refuses a store of the other kind, and leaves it unchanged",
  async () => {
    const dataDir = await makeStore("real");
    const before = await readFile(join(dataDir, "vigil.db"));
    expect(await sentenceOf(["accounts", "--demo"], { VIGIL_DATA_DIR: dataDir })).toContain(
      "holds real data; leave out --demo to work on it",
    );
    expect(await readdir(dataDir)).toContain("vigil.db");
    expect((await readFile(join(dataDir, "vigil.db"))).equals(before)).toBe(true);
  },
  TEST_MS_MAX,
);
