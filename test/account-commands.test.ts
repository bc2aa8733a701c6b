import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { planColumns, planRows } from "../src/commands/plans.js";
import { openDatabase } from "../src/database/open.js";
import { claimStore } from "../src/database/store-mark.js";
import { limitTable } from "../src/http/call-limits.js";
import { DAY_MS, SECOND_MS } from "../src/kit/clock.js";
import { loadServices } from "../src/services/registry.js";
import { commandHostForAll, processRoomForEach, type VigilProcess } from "./support/process.js";
import { type Stack, startStackOn } from "./support/stack.js";

const KEY = /^vgl_[0-9a-f]{48}$/;
/** Starting a process takes about a second on a busy machine, and one test starts several. */
const TEST_MS_MAX = 60_000;

const room = processRoomForEach("accounts");
const command = commandHostForAll();
beforeEach(async () => {
  const database = await openDatabase({ dataDir: room.folder });
  await claimStore(database, "real");
  await database.close();
});

function start(args: readonly string[], env: Readonly<Record<string, string>> = {}): VigilProcess {
  return room.start(args, { VIGIL_DATA_DIR: room.folder, ...env });
}

interface Ended {
  readonly code: number | NodeJS.Signals;
  readonly output: string;
}

async function run(...args: readonly string[]): Promise<Ended> {
  const { code, output, printed: printedText } = await command(args, { VIGIL_DATA_DIR: room.folder });
  return { code, output: code === 0 ? printedText.trimEnd() : withoutStore(output).trimEnd() };
}

/** Removes the line that names the store. Commands print it to standard error for their user. */
const withoutStore = (output: string): string => output.replace(/^Store: .*\n/m, "");

/** Runs a command, which must succeed, and returns its output. */
async function printed(...args: readonly string[]): Promise<string> {
  const { code, output } = await run(...args);
  expect([code, output]).toEqual([0, expect.any(String)]);
  return output;
}

/** Parses the rows of a printed table, keyed by column title. */
function rowsOf(table: string): readonly Readonly<Record<string, string>>[] {
  const [titles = "", rule = "", ...lines] = table.split("\n");
  const columns = [...rule.matchAll(/-+/g)].map(({ index, 0: dashes }) => [index, index + dashes.length] as const);
  const cells = (line: string): string[] => columns.map(([from, to]) => line.slice(from, to).trim());
  const names = cells(titles);
  return lines.map((line) => Object.fromEntries(cells(line).map((cell, at) => [names[at], cell])));
}

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

describe("vigil accounts", { timeout: TEST_MS_MAX }, () => {
  test("creates an account, lists it, changes its plan and logs an event for each change", async () => {
    const startedAt = Date.now();
    expect(await printed("accounts", "create", "Good & Sons", "--plan", "business", "--id", "acc_good")).toBe(
      "acc_good",
    );
    const created = [dayOf(startedAt), dayOf(Date.now())];
    expect(rowsOf(await printed("accounts"))).toEqual([
      {
        account: "acc_good",
        name: "Good & Sons",
        plan: "business",
        state: "active",
        created: expect.toSatisfy((day: string) => created.includes(day)),
      },
      { account: "operator", name: "Operator", plan: "enterprise", state: "active", created: "-" },
    ]);
    const changed = await printed("accounts", "plan", "acc_good", "pro", "--state", "lapsed");
    expect(changed).toBe("acc_good: pro, lapsed");
    expect(rowsOf(await printed("accounts"))[0]).toMatchObject({ plan: "pro", state: "lapsed" });
    const events = rowsOf(await printed("audit"));
    expect(events.map(({ action, by, account, detail }) => [action, by, account, detail])).toEqual([
      ["plan.changed", "command line", "acc_good", '{"from":"business active","to":"pro lapsed"}'],
      ["account.created", "command line", "acc_good", '{"name":"Good & Sons","plan":"business"}'],
    ]);
    expect(rowsOf(await printed("audit", "--limit", "1")).map(({ action }) => action)).toEqual(["plan.changed"]);
  });

  test("gives an account a random id and the starter plan when the command states neither id nor plan", async () => {
    const id = await printed("accounts", "create", "Plain");
    expect(id).toMatch(/^acc_[0-9a-f]{20}$/);
    expect(rowsOf(await printed("accounts"))).toContainEqual(expect.objectContaining({ account: id, plan: "starter" }));
  });
});

describe("vigil keys", { timeout: TEST_MS_MAX }, () => {
  test("creates a key, shows it once, lists it without its secret, and revokes it", async () => {
    await printed("accounts", "create", "A", "--id", "acc_a");
    const startedAt = Date.now();
    const key = await printed(
      "keys",
      "create",
      "acc_a",
      "--name",
      "mine",
      "--scopes",
      "read, account:write",
      "--days",
      "2",
    );
    const expires = [dayOf(startedAt + 2 * DAY_MS), dayOf(Date.now() + 2 * DAY_MS)];
    expect(key).toMatch(KEY);
    const listed = await printed("keys", "acc_a");
    expect(listed).not.toContain(key.slice("vgl_".length + 4));
    const [row, ...others] = rowsOf(listed);
    expect(others).toEqual([]);
    expect(row).toEqual({
      key: expect.stringMatching(/^key_[0-9a-f]{24}$/),
      name: "mine",
      "begins with": `${key.slice(0, 8)}…`,
      scopes: "read account:write",
      created: expect.any(String),
      expires: expect.toSatisfy((day: string) => expires.includes(day)),
      "last used": "-",
      revoked: "-",
    });
    const id = row?.["key"] ?? "";
    expect(await printed("keys", "revoke", "acc_a", id)).toBe(`${id} (mine) is revoked`);
    expect(rowsOf(await printed("keys", "acc_a"))[0]?.["revoked"]).toMatch(/^\d{4}-\d\d-\d\d$/);
    const events = rowsOf(await printed("audit"));
    expect(events.map(({ action, subject }) => [action, subject])).toEqual([
      ["key.revoked", id],
      ["key.created", id],
      ["account.created", "-"],
    ]);
  });

  test("lists the operator's keys when the command names no account", async () => {
    const key = await printed("keys", "create", "operator", "--name", "second");
    expect(rowsOf(await printed("keys"))).toMatchObject([
      { name: "second", "begins with": `${key.slice(0, 8)}…`, expires: "-" },
    ]);
  });
});

describe("vigil plans", { timeout: TEST_MS_MAX }, () => {
  test("shows the tier, API access and limits of each plan", async () => {
    const limits = limitTable([], (await loadServices()).quotas);
    const [columns, rows] = [planColumns(limits), planRows(limits)];
    expect(rowsOf(await printed("plans"))).toEqual(
      rows.map((row) => Object.fromEntries(row.map((cell, at) => [columns[at], cell]))),
    );
  });

  test("shows the limits of the configuration instead of the default limits", async () => {
    const { ended, output } = start(["plans"], { VIGIL_LIMITS: "starter-day=7,default-minute=8" });
    expect(await ended).toBe(0);
    const rows = rowsOf(output());
    expect(rows).toContainEqual(expect.objectContaining({ plan: "starter", "calls a UTC day": "7" }));
    expect(rows).toContainEqual(expect.objectContaining({ plan: "pro", "calls a minute": "8" }));
  });
});

describe("an account command that fails", { timeout: TEST_MS_MAX }, () => {
  const plans = "free, pro, starter, business, enterprise";
  const scopes =
    "read, account:write, company_monitoring:read, company_monitoring:write, webhooks:read, webhooks:write, watches:read, watches:write";
  test.each([
    { args: ["accounts", "create", "B", "--plan", "gold"], sentence: `no plan is called gold; the plans are ${plans}` },
    { args: ["accounts", "create", "B", "--id", "operator"], sentence: "the account operator already exists" },
    { args: ["accounts", "plan", "operator", "gold"], sentence: `no plan is called gold; the plans are ${plans}` },
    {
      args: ["accounts", "plan", "operator", "free", "--state", "dead"],
      sentence: "no state is called dead; the states are active, lapsed, renewal-pending",
    },
    { args: ["accounts", "plan", "acc_nobody", "free"], sentence: "there is no account acc_nobody" },
    { args: ["keys", "acc_nobody"], sentence: "there is no account acc_nobody" },
    {
      args: ["keys", "create", "operator", "--days", "Infinity"],
      sentence: "--days must be a whole number from 1 to 36500, got Infinity",
    },
    { args: ["audit", "--limit", "-1"], sentence: "--limit must be from 1 to 9999, got -1" },
    { args: ["keys", "create", "acc_nobody"], sentence: "acc_nobody: no such account" },
    {
      args: ["keys", "create", "operator", "--scopes", "read,admin"],
      sentence: `no scope is called admin; the scopes are ${scopes}`,
    },
    {
      args: ["keys", "create", "operator", "--days", "0"],
      sentence: "--days must be a whole number from 1 to 36500, got 0",
    },
    {
      args: ["keys", "create", "operator", "--days", "few"],
      sentence: "--days must be a whole number from 1 to 36500, got few",
    },
    { args: ["accounts", "create", ""], sentence: 'the name must not have fewer than 1 characters, got ""' },
    {
      args: ["accounts", "create", "B", "--id", "a b"],
      sentence: '--id must match pattern "^[A-Za-z0-9._@-]{1,128}$", got "a b"',
    },
    {
      args: ["keys", "create", "operator", "--name", ""],
      sentence: '--name must not have fewer than 1 characters, got ""',
    },
    { args: ["keys", "revoke", "operator", "key_nobody"], sentence: "operator has no key key_nobody" },
  ])("prints one sentence and exits 1: $sentence", async ({ args, sentence }) => {
    expect(await run(...args)).toEqual({ code: 1, output: `vigil: ${sentence}` });
  });

  test("ends its process with code 1", async () => {
    const { ended, output } = start(["accounts", "create", "B", "--plan", "gold"]);
    expect(await ended).toBe(1);
    expect(withoutStore(output())).toBe(`vigil: no plan is called gold; the plans are ${plans}\n`);
  });

  test("writes nothing to the store", async () => {
    await run("accounts", "create", "B", "--plan", "gold");
    await run("keys", "create", "operator", "--scopes", "admin");
    expect(rowsOf(await printed("accounts")).map(({ account }) => account)).toEqual(["operator"]);
    expect(rowsOf(await printed("keys"))).toEqual([]);
    expect(rowsOf(await printed("audit"))).toEqual([]);
  });

  test("reads a mistyped subcommand as an account and suggests the intended subcommand", async () => {
    const { code, output } = await run("keys", "creat");
    expect([code, output]).toEqual([1, "vigil: there is no account creat; did you mean create?"]);
  });

  test("exits 1 with --demo on a store of real data", async () => {
    await printed("accounts");
    const { code, output } = await run("accounts", "--demo");
    expect(code).toBe(1);
    expect(output).toMatch(/^vigil: \S+ in \S+ holds real data; leave out --demo to work on it, .*$/);
  });
});

describe("account commands beside a running service", { timeout: TEST_MS_MAX }, () => {
  let stack: Stack;
  beforeEach(async () => {
    stack = await startStackOn(join(room.folder, "demo"), { datasets: [] });
    stack.service.start();
  });
  afterEach(() => stack.close());

  /** Runs a command on the store of the service, in another process, and returns its output. */
  async function beside(...args: readonly string[]): Promise<string> {
    const { code, output, printed: text } = await command([...args, "--demo"], { VIGIL_DATA_DIR: stack.dataDir });
    expect(code, output).toBe(0);
    return text.trimEnd();
  }

  const statusOf = async (key: string): Promise<number> =>
    (await stack.get("/api/version", { "x-service-key": key })).status;

  test("a new key works at once and stops working within a second of its revocation", async () => {
    await beside("accounts", "create", "A", "--id", "acc_a");
    const key = await beside("keys", "create", "acc_a", "--scopes", "read");
    expect(await statusOf(key)).toBe(200);
    const [row] = rowsOf(await beside("keys", "acc_a"));
    await beside("keys", "revoke", "acc_a", row?.["key"] ?? "");
    stack.clock.advance(SECOND_MS);
    await expect.poll(() => statusOf(key)).toBe(401);
    expect(await statusOf(stack.service.access.ownerKey.key ?? "")).toBe(200);
  });

  test("an account whose plan lapses loses access within a second", async () => {
    await beside("accounts", "create", "A", "--id", "acc_a");
    const key = await beside("keys", "create", "acc_a");
    expect(await statusOf(key)).toBe(200);
    await beside("accounts", "plan", "acc_a", "starter", "--state", "lapsed");
    stack.clock.advance(SECOND_MS);
    await expect.poll(() => statusOf(key)).toBe(403);
  });
});
