import { sql } from "kysely";
import { afterEach, expect, test } from "vitest";
import { type SmtpTestOptions, type SmtpTestServer, startSmtp } from "../../../../../test/support/smtp.js";
import { describeEachStore } from "../../../../../test/support/stores.js";
import { smtpSender } from "../../../../app/smtp-mail.js";
import { type Mail, type MailMessage, smtpUrl } from "../../../../contract/mail.js";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../kit/clock.js";
import { ASKED_PER_DAY_MAX } from "../../rules/mail-limits.js";
import { watchesIn } from "../tables.js";
import { dropRecipients, recipientsOf } from "./addresses.js";
import { LEASE_MS } from "./claim.js";
import { mailsIn } from "./tables.js";
import { ACCOUNT, type MailNode, mailNode, memoryFirings, NOW, WATCH } from "./testing/mail-node.js";
import { thinMails } from "./upkeep.js";

const READER = "reader@example.com";
const ORIGIN = "https://vigil.example.com";

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** Starts a real SMTP server, and creates a channel that sends to it. */
async function smtp(options: SmtpTestOptions = {}): Promise<{ readonly server: SmtpTestServer; readonly mail: Mail }> {
  const server = await startSmtp(options);
  ends.push(server.close);
  return { server, mail: mailTo(server.port) };
}

function mailTo(port: number, isSimulated = false): Mail {
  const target = smtpUrl.read(`smtp://127.0.0.1:${port}`);
  if (!target) throw new Error("no server");
  const clock = { now: () => Date.UTC(2026, 10, 23), sleep: () => new Promise<void>(() => undefined) };
  const sender = smtpSender({ server: target, from: "vigil@example.org", clock, isSimulated });
  ends.push(sender.close);
  return { origin: ORIGIN, domain: "example.org", send: sender.send };
}

/** Creates a channel in memory that keeps the messages and answers each with `outcome`. */
function memoryMail(outcome: Awaited<ReturnType<Mail["send"]>> = { kind: "accepted" }) {
  const sent: MailMessage[] = [];
  const mail: Mail = {
    origin: ORIGIN,
    domain: "example.org",
    async send(message) {
      sent.push(message);
      return outcome;
    },
  };
  return { sent, mail };
}

const tokenIn = (text: string | undefined, path: string): string =>
  new RegExp(`${ORIGIN}/api/watches/v1/${path}\\?token=([\\w-]{43})(?![\\w-])`).exec(text ?? "")?.[1] ?? "";

await describeEachStore((open) => {
  async function prepared(options: { readonly isSimulated?: boolean } = {}) {
    const store = await open();
    const firings = memoryFirings();
    const node = await mailNode(store.database, firings, options);
    return { store, node, firings, db: mailsIn(store.database.db) };
  }

  /** Adds an address to a watch and confirms it. */
  async function confirmed(node: MailNode, address = READER): Promise<void> {
    await node.name([address]);
    const { sent, mail } = memoryMail();
    await node.send(mail);
    const token = tokenIn(sent.find(({ to }) => to === address)?.text, "confirm-watch-email");
    expect(await node.confirm(token)).toBe(true);
  }

  /** A confirmed recipient who has got one email about a firing. */
  async function mailedOnce() {
    const ready = await prepared();
    await confirmed(ready.node);
    const { sent, mail } = memoryMail();
    ready.firings.add();
    await ready.node.queue();
    await ready.node.send(mail);
    return { ...ready, sent, mail };
  }

  const stateOf = async (db: ReturnType<typeof mailsIn>) =>
    (await recipientsOf(db, [WATCH])).map(({ address, state, reason }) => [address, state, reason]);

  test("a firing is mailed to an address once, and only after the address is confirmed", async () => {
    const { node, firings, db } = await prepared();
    const { server, mail } = await smtp();
    await node.name([READER]);
    firings.add();
    await node.queue();
    await node.send(mail);
    expect(server.received.map(({ to, parsed }) => [to, parsed.subject])).toEqual([
      [READER, "Confirm this address for watch emails"],
    ]);
    expect(await stateOf(db)).toEqual([[READER, "pending", undefined]]);
    expect(await node.confirm(tokenIn(server.received[0]?.parsed.text, "confirm-watch-email"))).toBe(true);
    expect(await stateOf(db)).toEqual([[READER, "confirmed", undefined]]);
    firings.add();
    for (let round = 0; round < 3; round += 1) {
      await node.queue();
      await node.send(mail);
    }
    expect(server.received).toHaveLength(2);
    const { parsed, raw } = server.received[1] ?? {};
    expect(parsed?.subject).toBe("Large earthquakes: 1 added");
    expect(parsed?.text).toContain('{"magnitude":6.4,"place":"Fiji"}');
    expect(raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
    expect(raw).not.toContain("X-Vigil-Data");
    expect(await node.states()).toEqual(["sent/1", "sent/1"]);
  });

  test("the store contains no token of a link, and a stored hash is not accepted as a token", async () => {
    const { node, db } = await prepared();
    const { sent, mail } = memoryMail();
    await node.name([READER]);
    await node.send(mail);
    const token = tokenIn(sent[0]?.text, "confirm-watch-email");
    const rows = await db.selectFrom("watch_email").selectAll().execute();
    const mails = await db.selectFrom("watch_mail").selectAll().execute();
    expect(token).toHaveLength(43);
    expect(JSON.stringify([rows, mails])).not.toContain(token);
    expect(await node.confirm(rows[0]?.token_hash ?? "")).toBe(false);
    expect(await node.confirm("")).toBe(false);
  });

  test("a confirmation link can be used repeatedly, and expires after a week if it was not used", async () => {
    const { node } = await prepared();
    const { sent, mail } = memoryMail();
    await node.name(["a@example.com"]);
    await node.name(["b@example.com"], { watchId: "wch_2" });
    await node.send(mail);
    const [first = "", second = ""] = sent
      .toSorted((a, b) => (a.to < b.to ? -1 : 1))
      .map(({ text }) => tokenIn(text, "confirm-watch-email"));
    expect([await node.confirm(first), await node.confirm(first)]).toEqual([true, true]);
    node.clock.advance(7 * DAY_MS + 1);
    expect([await node.confirm(first), await node.confirm(second)]).toEqual([true, false]);
  });

  test("an address gets at most one confirmation email a day, regardless of which accounts name it", async () => {
    const { node } = await prepared();
    const { sent, mail } = memoryMail();
    await node.name([READER]);
    await node.name([]);
    await node.name([READER]);
    await node.name([READER], { accountId: "acc_b", watchId: "wch_b" });
    await node.send(mail);
    expect(sent).toHaveLength(1);
    node.clock.advance(DAY_MS - MINUTE_MS);
    await node.name([READER]);
    await node.send(mail);
    expect(sent).toHaveLength(1);
    node.clock.advance(MINUTE_MS);
    await node.send(mail);
    expect(sent).toHaveLength(2);
  });

  test("an address is refused once other accounts have reserved its daily confirmation emails for the next three days", async () => {
    const { node } = await prepared();
    const outcomes: string[] = [];
    for (let at = 0; at < 6; at += 1) {
      outcomes.push(await node.name([READER], { accountId: `acc_${at}`, watchId: `wch_${at}` }));
    }
    expect(outcomes).toEqual(["set", "set", "set", "set", "too many", "too many"]);
  });

  test("an account can name only a limited number of new addresses a day", async () => {
    const { node } = await prepared();
    for (let at = 0; at < ASKED_PER_DAY_MAX; at += 1) {
      expect(await node.name([`a${at}@example.com`], { watchId: `wch_${at}` })).toBe("set");
    }
    expect(await node.name(["one-more@example.com"], { watchId: "wch_x" })).toBe("too many");
    expect(await node.name(["one-more@example.com"], { accountId: "acc_b", watchId: "wch_y" })).toBe("set");
    node.clock.advance(DAY_MS);
    expect(await node.name(["one-more-of-a@example.com"], { watchId: "wch_x" })).toBe("set");
  });

  test("an unconfirmed address that is named again a day later gets a new confirmation email with a new link", async () => {
    const { node } = await prepared();
    const { sent, mail } = memoryMail();
    await node.name([READER]);
    await node.send(mail);
    node.clock.advance(DAY_MS);
    await node.name([READER]);
    await node.send(mail);
    const [first = "", second = ""] = sent.map(({ text }) => tokenIn(text, "confirm-watch-email"));
    expect([await node.confirm(first), await node.confirm(second)]).toEqual([false, true]);
  });

  test("an address that the server rejects gets no more emails, and its state gives the reason", async () => {
    const { node, firings, db } = await prepared();
    await confirmed(node);
    const refusal = { code: 550, text: "5.1.1 no such user" };
    const { server, mail } = await smtp({ onRecipient: () => refusal });
    firings.add();
    firings.add();
    await node.queue();
    await node.send(mail);
    firings.add();
    await node.queue();
    await node.send(mail);
    expect(server.received).toEqual([]);
    expect(await node.states()).toEqual(["sent/1", "dead/1", "dead/0"]);
    expect(await stateOf(db)).toEqual([[READER, "refused", "the mail server answered 550 5.1.1 no such user"]]);
  });

  test("a greylisted email is sent again with the same id and delivered once, and later firings wait for it", async () => {
    const { node, firings } = await prepared();
    await confirmed(node);
    let attempts = 0;
    const seen: (string | undefined)[] = [];
    const { server, mail } = await smtp({
      onMessage({ parsed }) {
        attempts += 1;
        seen.push(parsed.messageId);
        return attempts === 1 ? { code: 451, text: "4.7.1 greylisted" } : undefined;
      },
    });
    for (const watchName of ["First", "Second"]) firings.add({ watchName });
    await node.queue();
    await node.send(mail);
    expect(server.received).toEqual([]);
    node.clock.advance(10_000);
    await node.send(mail);
    expect(server.received.map(({ parsed }) => parsed.subject)).toEqual(["First: 1 added", "Second: 1 added"]);
    expect([seen[0] === seen[1], seen[1] === seen[2]]).toEqual([true, false]);
    expect(await node.states()).toEqual(["sent/1", "sent/2", "sent/1"]);
  });

  test("emails wait while the server is down, and arrive in order once it is up", async () => {
    const { node, firings } = await prepared();
    await confirmed(node);
    const { server: first } = await smtp();
    await first.close();
    const mail = mailTo(first.port);
    for (const watchName of ["1", "2", "3"]) firings.add({ watchName });
    await node.queue();
    for (let minute = 0; minute < 5; minute += 1) {
      await node.send(mail);
      node.clock.advance(MINUTE_MS);
    }
    const { server } = await smtp({ port: first.port });
    node.clock.advance(4 * HOUR_MS);
    await node.send(mail);
    expect(server.received.map(({ parsed }) => parsed.subject)).toEqual(["1: 1 added", "2: 1 added", "3: 1 added"]);
  });

  test("an email that is never accepted is abandoned after three days, and so are the emails that wait for it", async () => {
    const { node, firings } = await prepared();
    await confirmed(node);
    const { mail } = memoryMail({ kind: "failed", reason: "the mail server refused the connection" });
    firings.add();
    firings.add();
    await node.queue();
    for (let hour = 0; hour < 73; hour += 1) {
      await node.send(mail);
      await node.expire();
      node.clock.advance(HOUR_MS);
    }
    const [, first, second] = await node.states();
    // The last attempt to send the first email is due a minute before both emails expire. After this attempt, the first
    // email is abandoned. The second email then becomes due, is tried once, and is abandoned too.
    expect([first, second]).toEqual([expect.stringMatching(/^dead\/\d\d$/), "dead/1"]);
  });

  test("if the server rejects a message, only this message is abandoned, and the next one is sent", async () => {
    const { node, firings, db } = await prepared();
    await confirmed(node);
    const { server, mail } = await smtp({
      onMessage: ({ parsed }) => (parsed.subject?.startsWith("Bad") ? { code: 554, text: "5.6.0 spam" } : undefined),
    });
    for (const watchName of ["Bad", "Good"]) firings.add({ watchName });
    await node.queue();
    await node.send(mail);
    expect(server.received.map(({ parsed }) => parsed.subject)).toEqual(["Good: 1 added"]);
    expect(await node.states()).toEqual(["sent/1", "dead/1", "sent/1"]);
    expect(await stateOf(db)).toEqual([[READER, "confirmed", undefined]]);
  });

  test("if a process dies after it has sent an email, the email is sent again with the same id and the same text", async () => {
    const { store, node, firings } = await prepared();
    await confirmed(node);
    const { server, mail } = await smtp();
    firings.add();
    await node.queue();
    const dying: Mail = {
      ...mail,
      async send(message, signal) {
        await mail.send(message, signal);
        throw new Error("killed");
      },
    };
    await expect(node.send(dying)).rejects.toThrow("emails that could not be processed: 1");
    const other = await mailNode(await store.openAgain(), firings, { clock: node.clock, seed: 1 });
    await other.send(mail);
    expect(server.received).toHaveLength(1);
    node.clock.advance(LEASE_MS);
    await other.send(mail);
    const [first, second, ...rest] = server.received.map(({ parsed }) => [parsed.messageId, parsed.text]);
    expect([second, rest]).toEqual([first, []]);
  });

  test("if two nodes queue and send at the same time, each firing is mailed once", async () => {
    const { store, node, firings } = await prepared();
    await confirmed(node);
    const other = await mailNode(await store.openAgain(), firings, { clock: node.clock, seed: 1 });
    const { sent, mail } = memoryMail();
    for (let at = 0; at < 20; at += 1) firings.add({ watchName: String(at) });
    for (let round = 0; round < 20; round += 1) {
      await Promise.all([node.queue(), other.queue()]);
      await Promise.all([node.send(mail), other.send(mail)]);
    }
    expect(sent.map(({ subject }) => subject)).toEqual(Array.from({ length: 20 }, (_, at) => `${at}: 1 added`));
  });

  test("a stop link stops the emails that one watch sends to one address, and no others", async () => {
    const { node, firings, db } = await prepared();
    await confirmed(node);
    await node.name([READER], { watchId: "wch_2" });
    const { sent, mail } = memoryMail();
    firings.add();
    firings.add();
    await node.queue();
    await node.send(mail);
    expect(sent).toHaveLength(2);
    const token = tokenIn(sent[0]?.text, "stop-watch-email");
    expect(sent[0]?.headers?.["List-Unsubscribe"]).toBe(`<${ORIGIN}/api/watches/v1/stop-watch-email?token=${token}>`);
    firings.add();
    await node.queue();
    expect([await node.stop(token), await node.stop(token), await node.stop("x")]).toEqual([true, true, false]);
    firings.add();
    firings.add({ watchId: "wch_2", watchName: "Other" });
    await node.queue();
    await node.send(mail);
    expect(sent.map(({ subject }) => subject).slice(2)).toEqual(["Other: 1 added"]);
    const unwanted = await db.selectFrom("watch_mail").select("last_error").where("state", "=", "dead").execute();
    expect(unwanted).toContainEqual({ last_error: "the address is no longer a recipient" });
    await node.name([]);
    await node.name([READER]);
    expect(await stateOf(db)).toEqual([[READER, "stopped", undefined]]);
  });

  test("a stop link also works while the watch does not name the address, and the watch cannot undo it", async () => {
    const { node, firings, db, sent, mail } = await mailedOnce();
    await node.name([]);
    expect(await stateOf(db)).toEqual([]);
    expect(await node.stop(tokenIn(sent[0]?.text, "stop-watch-email"))).toBe(true);
    await node.name([READER]);
    expect(await stateOf(db)).toEqual([[READER, "stopped", undefined]]);
    firings.add();
    await node.queue();
    await node.send(mail);
    expect(sent).toHaveLength(1);
  });

  test("an address that a watch no longer names gets no emails, and gets them again once the watch names it", async () => {
    const { node, firings } = await prepared();
    await confirmed(node);
    const { sent, mail } = memoryMail();
    firings.add();
    await node.queue();
    await node.name([]);
    firings.add();
    await node.queue();
    await node.send(mail);
    expect(sent).toEqual([]);
    await node.name([READER]);
    firings.add();
    await node.queue();
    await node.send(mail);
    expect(sent).toHaveLength(1);
  });

  /** Names an address for a watch as version 0.1.0 did before `watch_former_recipient`. */
  async function nameAsBefore(db: ReturnType<typeof mailsIn>, address: string): Promise<void> {
    const row = { watch_id: WATCH, address, account_id: ACCOUNT, stop_hash: "h", stopped_at: null };
    await db
      .insertInto("watch_recipient")
      .values(row)
      .onConflict((conflict) => conflict.columns(["watch_id", "address"]).doNothing())
      .execute();
  }

  /** Reads the watches that an earlier version would send to the address. */
  const sendersAsBefore = async (db: ReturnType<typeof mailsIn>, address: string) =>
    (await db.selectFrom("watch_recipient").selectAll().where("stopped_at", "is", null).execute())
      .filter((row) => row.address === address)
      .map(({ watch_id }) => watch_id);

  test("an earlier version on the same store sends nothing to an address that a watch no longer names", async () => {
    const { node, db } = await prepared();
    await confirmed(node);
    expect(await sendersAsBefore(db, READER)).toEqual([WATCH]);
    await node.name([]);
    expect(await sendersAsBefore(db, READER)).toEqual([]);
  });

  test("an address that an earlier version names again gets emails from both versions", async () => {
    const { node, firings, db } = await prepared();
    await confirmed(node);
    await node.name([]);
    await nameAsBefore(db, READER);
    expect(await stateOf(db)).toEqual([[READER, "confirmed", undefined]]);
    const { sent, mail } = memoryMail();
    firings.add();
    await node.queue();
    await node.send(mail);
    expect(sent).toHaveLength(1);
    node.clock.advance(31 * DAY_MS);
    await thinMails(node.parts);
    node.clock.advance(31 * DAY_MS);
    await thinMails(node.parts);
    expect(await stateOf(db)).toEqual([[READER, "confirmed", undefined]]);
  });

  test("an earlier version cannot undo a stop from the time in which the watch did not name the address", async () => {
    const { node, db, sent } = await mailedOnce();
    await node.name([]);
    const token = tokenIn(sent[0]?.text, "stop-watch-email");
    expect([await node.stop(token), await node.stop(token)]).toEqual([true, true]);
    await nameAsBefore(db, READER);
    expect(await sendersAsBefore(db, READER)).toEqual([]);
  });

  test("a stop link works on an address that is being named again at the same time", async () => {
    const { node, db, sent } = await mailedOnce();
    const token = tokenIn(sent[0]?.text, "stop-watch-email");
    for (let round = 0; round < 5; round += 1) {
      await db.updateTable("watch_recipient").set({ stopped_at: null }).execute();
      await node.name([]);
      const [stopped] = await Promise.all([node.stop(token), node.name([READER])]);
      expect([stopped, await stateOf(db)]).toEqual([true, [[READER, "stopped", undefined]]]);
    }
  });

  test("a removed watch leaves no former recipients", async () => {
    const { node, db } = await prepared();
    await confirmed(node);
    await node.name([]);
    await dropRecipients(db, WATCH);
    expect(await db.selectFrom("watch_former_recipient").selectAll().execute()).toEqual([]);
  });

  test("the store of an earlier build keeps its recipients, and forgets stopped addresses that no watch names", async () => {
    const { store, node, firings, db } = await prepared();
    const former = "former@example.com";
    await confirmed(node);
    await confirmed(node, former);
    await node.name([READER, former]);
    const { sent, mail } = memoryMail();
    firings.add();
    await node.queue();
    await node.send(mail);
    for (const { text } of sent) expect(await node.stop(tokenIn(text, "stop-watch-email"))).toBe(true);
    await node.name([READER], { watchId: "wch_2" });
    const watch = {
      account_id: ACCOUNT,
      definition: JSON.stringify({ emails: [READER] }),
      state: "active",
      state_reason: null,
      memory: "{}",
      revision: 1,
      evaluated_position: 0,
      due_at: null,
      behind_from: null,
      failure_count: 0,
      feed_revision: 0,
      firing_count: 0,
      last_fired_at: null,
      created_at: NOW,
      updated_at: NOW,
    };
    await watchesIn(store.database.db)
      .insertInto("watch")
      .values([
        { ...watch, watch_id: WATCH },
        { ...watch, watch_id: "wch_2" },
      ])
      .execute();
    await store.database.db.schema.dropTable("watch_former_recipient").execute();
    await store.database.db.schema.alterTable("watch_email").dropColumn("unused_since").execute();
    await sql`delete from migration_watches where name >= '003'`.execute(store.database.db);
    await mailNode(store.database, firings);
    expect(await stateOf(db)).toEqual([[READER, "stopped", undefined]]);
    firings.add({ watchId: "wch_2" });
    await node.queue();
    await node.send(mail);
    expect(sent.slice(2).map(({ to }) => to)).toEqual([READER]);
    await thinMails(node.parts);
    node.clock.advance(30 * DAY_MS + 1);
    await thinMails(node.parts);
    const addresses = await db.selectFrom("watch_email").select("address").execute();
    expect(addresses).toEqual([{ address: READER }]);
    await node.name([READER, former]);
    expect(await stateOf(db)).toEqual([
      [former, "stopped", undefined],
      [READER, "stopped", undefined],
    ]);
  });

  test("firings that are older than three days are not mailed", async () => {
    const { node, firings } = await prepared();
    await confirmed(node);
    firings.add();
    node.clock.advance(4 * DAY_MS);
    firings.add({ watchName: "New", firedAt: new Date(node.clock.now()).toISOString() });
    const { sent, mail } = memoryMail();
    await node.queue();
    await node.send(mail);
    expect(sent.map(({ subject }) => subject)).toEqual(["New: 1 added"]);
  });

  test("waiting emails of an account are not sent while its plan has lapsed", async () => {
    const { store, node, firings } = await prepared();
    await confirmed(node);
    firings.add();
    await node.queue();
    const account = { id: ACCOUNT, name: "A", plan: "business", created_at: NOW, updated_at: NOW };
    const { db } = store.database;
    await db
      .insertInto("account")
      .values({ ...account, plan_state: "lapsed" })
      .execute();
    const { sent, mail } = memoryMail();
    await node.send(mail);
    expect(sent).toEqual([]);
    await db.updateTable("account").set({ plan_state: "active" }).execute();
    await node.send(mail);
    expect(sent).toHaveLength(1);
  });

  test("when a process stops, its unsent emails can be sent immediately", async () => {
    const { node, firings } = await prepared();
    await confirmed(node);
    firings.add();
    await node.queue();
    const stopping = new AbortController();
    const hanging: Mail = {
      ...memoryMail().mail,
      async send(_message, signal) {
        stopping.abort(new Error("stopping"));
        throw signal.reason;
      },
    };
    await expect(node.send(hanging, stopping.signal)).rejects.toThrow("stopping");
    const { sent, mail } = memoryMail();
    await node.send(mail);
    expect(sent).toHaveLength(1);
  });

  test("sent emails are kept for a week, and dead emails and unused addresses for a month", async () => {
    const { node, firings, db } = await prepared();
    await confirmed(node);
    firings.add();
    await node.queue();
    await node.send(memoryMail({ kind: "refused", reason: "no" }).mail);
    await node.name([]);
    node.clock.advance(8 * DAY_MS);
    await thinMails(node.parts);
    expect(await node.states()).toEqual(["dead/1"]);
    node.clock.advance(30 * DAY_MS + 1);
    await thinMails(node.parts);
    expect(await node.states()).toEqual([]);
    expect(await db.selectFrom("watch_email").selectAll().execute()).toEqual([]);
    expect(await db.selectFrom("watch_recipient").selectAll().execute()).toEqual([]);
    expect(await db.selectFrom("watch_former_recipient").selectAll().execute()).toEqual([]);
  });

  test("an address stays confirmed until no watch has named it for 30 days, however long ago it was confirmed", async () => {
    const { node, db } = await prepared();
    await confirmed(node);
    for (let times = 0; times < 2; times += 1) {
      node.clock.advance(31 * DAY_MS);
      await node.name([]);
      await thinMails(node.parts);
      node.clock.advance(29 * DAY_MS);
      await thinMails(node.parts);
      await node.name([READER]);
      expect(await stateOf(db)).toEqual([[READER, "confirmed", undefined]]);
    }
    await node.name([]);
    await thinMails(node.parts);
    node.clock.advance(30 * DAY_MS + 1);
    await thinMails(node.parts);
    await node.name([READER]);
    expect(await stateOf(db)).toEqual([[READER, "pending", undefined]]);
  });

  test("the waiting emails of a forgotten address are abandoned", async () => {
    const { node, firings, db } = await prepared();
    await confirmed(node);
    firings.add();
    firings.add();
    await node.queue();
    await node.name([]);
    await db.deleteFrom("watch_email").execute();
    const { sent, mail } = memoryMail();
    await node.send(mail);
    expect(sent).toEqual([]);
    expect(await node.states()).toEqual(["sent/1", "dead/0", "dead/0"]);
  });

  test("hostile names and rows reach the reader as text, and never as headers", async () => {
    const { node, firings } = await prepared({ isSimulated: true });
    await confirmed(node);
    const { server } = await smtp();
    const mail = mailTo(server.port, true);
    firings.add({
      watchName: "Quakes\r\nBcc: victim@example.net\u202e",
      rows: [
        {
          change: "added",
          id: "<img src=x>\r\n.\r\nMAIL FROM:<x>",
          after: { title: "</li><script>alert(1)</script>" },
        },
      ],
      sources: [{ name: "Evil", url: "javascript:alert(1)", licence: "<b>" }],
    });
    await node.queue();
    await node.send(mail);
    expect(server.received).toHaveLength(1);
    const { to, parsed, raw } = server.received[0] ?? {};
    expect(to).toBe(READER);
    expect(parsed?.subject).toBe("[simulated] Quakes Bcc: victim@example.net: 1 added");
    expect(parsed?.bcc).toBeUndefined();
    expect(raw?.split("\r\n\r\n")[0]).not.toMatch(/^Bcc/m);
    expect(parsed?.text).toContain("This is a demo: all data is simulated.");
    expect(parsed?.html).toContain("This is a demo: all data is simulated.");
    expect(parsed?.html).not.toMatch(/<(?:img|script|b)\b|href="javascript/);
  });
});
