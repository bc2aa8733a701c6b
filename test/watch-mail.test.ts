import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { OPERATOR_ACCOUNT } from "../src/contract/access/principal.js";
import type { IdentifiedAnswer } from "../src/http/exchange.js";
import { DAY_MS } from "../src/kit/clock.js";
import { insertFirings } from "../src/services/watches/store/insert-firings.js";
import { mailQueueJob, mailSendJob } from "../src/services/watches/store/mail/jobs.js";
import { firing } from "../src/services/watches/store/mail/testing/mail-node.js";
import { watchesIn } from "../src/services/watches/store/tables.js";
import { runJob } from "./support/run-job.js";
import { type SmtpTestServer, startSmtp } from "./support/smtp.js";
import { call, json, type Stack, startStack } from "./support/stack.js";

/*
 * Emails of watches. The definition of a watch names an address. The links in the emails to that address lead to
 * confirm-watch-email and stop-watch-email.
 */

const ORIGIN = "https://vigil.example.com";
const FORM = "application/x-www-form-urlencoded";
const JSON_TYPE = "application/json";
const HTML = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8";
const CONFIRM = "/api/watches/v1/confirm-watch-email";

let stack: Stack;
let smtp: SmtpTestServer;
let readers = 0;
/** An address that no other test uses. */
let reader: string;

beforeAll(async () => {
  smtp = await startSmtp();
  const env = {
    VIGIL_SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    VIGIL_MAIL_FROM: "vigil@example.org",
    VIGIL_PUBLIC_URL: ORIGIN,
  };
  stack = await startStack({ env, datasets: ["earthquakes"] });
}, 60_000);
afterAll(async () => {
  await stack.close();
  await smtp.close();
});
beforeEach(() => {
  readers += 1;
  reader = `reader${readers}@example.com`;
});

/** Queues and sends the due emails, and returns the emails addressed to the reader. */
async function mails() {
  await runJob(stack, mailQueueJob);
  await runJob(stack, mailSendJob);
  return smtp.received.filter(({ to }) => to === reader).map(({ parsed }) => parsed);
}

const ownerKey = () => ({ "x-service-key": stack.service.access.ownerKey.key ?? "" });

function write(rpc: string, body: object): Promise<IdentifiedAnswer> {
  const headers = { ...ownerKey(), "content-type": JSON_TYPE };
  return call(stack.answer, "POST", `/api/watches/v1/${rpc}`, headers, { body: JSON.stringify(body) });
}

const definition = () => ({
  name: "Large earthquakes",
  call: "/api/seismology/v1/list-earthquakes",
  on: "WATCH_ON_NEW_ROWS",
  emails: [reader.toUpperCase()],
});

interface ServedWatch {
  readonly watchId: string;
  readonly emails: readonly string[];
  readonly recipients: readonly { readonly email: string; readonly state: string }[];
}

/** Creates a watch that sends emails to the reader's address. */
async function created(): Promise<ServedWatch> {
  const answer = await write("create-watch", definition());
  expect(answer.status, String(answer.body)).toBe(201);
  return (json(answer) as { readonly watch: ServedWatch }).watch;
}

async function stateOf(watchId: string): Promise<string | undefined> {
  const answer = json(await stack.get(`/api/watches/v1/get-watch?watch_id=${watchId}`));
  return (answer as { readonly watch: ServedWatch }).watch.recipients?.[0]?.state.replace("WATCH_RECIPIENT_STATE_", "");
}

/** Stores a firing of the watch. */
async function fire(watchId: string): Promise<void> {
  const { position: _position, firingId: _firingId, ...members } = firing;
  const at = stack.clock.now();
  const body = JSON.stringify({ ...members, watchId, firedAt: new Date(at).toISOString() });
  await stack.service.database.db.transaction().execute((on) =>
    insertFirings(watchesIn(on), [{ accountId: OPERATOR_ACCOUNT, watchId, kind: "fired", body }], {
      now: at,
      randomBytes: stack.service.storeParts.randomBytes,
    }),
  );
}

/** The path and query of the link in an email. */
function linkIn(text: string | undefined, rpc: string): string {
  const [, link = ""] = new RegExp(`${ORIGIN}(/api/watches/v1/${rpc}\\?token=[\\w-]{43})`).exec(text ?? "") ?? [];
  return link;
}

const open = (link: string): Promise<IdentifiedAnswer> => call(stack.answer, "GET", link, { accept: HTML });

/** Presses the button of the page as a browser does. */
const press = (link: string): Promise<IdentifiedAnswer> =>
  call(stack.answer, "POST", link, { accept: HTML, "content-type": FORM, origin: ORIGIN }, { body: "" });

/** Creates a watch and confirms the reader's address. */
async function confirmed(): Promise<ServedWatch> {
  const watch = await created();
  const [confirmation] = await mails();
  expect((await press(linkIn(confirmation?.text, "confirm-watch-email"))).status).toBe(200);
  return watch;
}

describe("an address of a watch", () => {
  test("gets firings only after its confirmation button is pressed, not after the page is opened", async () => {
    const watch = await created();
    expect([watch.emails, watch.recipients]).toEqual([
      [reader],
      [{ email: reader, state: "WATCH_RECIPIENT_STATE_PENDING" }],
    ]);
    await fire(watch.watchId);
    const [confirmation, ...others] = await mails();
    expect([confirmation?.subject, others]).toEqual(["[simulated] Confirm this address for watch emails", []]);
    const link = linkIn(confirmation?.text, "confirm-watch-email");
    for (let at = 0; at < 3; at += 1) expect((await open(link)).status).toBe(200);
    expect(await stateOf(watch.watchId)).toBe("PENDING");
    const pressed = await press(link);
    expect([pressed.status, pressed.headers["Content-Type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect(String(pressed.body)).toContain("Your address is confirmed.");
    expect(await stateOf(watch.watchId)).toBe("CONFIRMED");
    await fire(watch.watchId);
    const [, fired, ...more] = await mails();
    expect([fired?.subject, more]).toEqual(["[simulated] Large earthquakes: 1 added", []]);
    expect(fired?.text).toContain("This is a demo: all data is simulated.");
    expect(fired?.text).toContain(`${ORIGIN}/api/seismology/v1/list-earthquakes?`);
  });

  test("is sent one confirmation, however many watches name it", async () => {
    await created();
    await created();
    expect(await mails()).toHaveLength(1);
  });

  test("gets no more emails once an update removes it, and stays confirmed when an update adds it again", async () => {
    const { watchId } = await confirmed();
    const { emails: _emails, ...without } = definition();
    expect((await write("update-watch", { watchId, definition: without })).status).toBe(200);
    expect(await stateOf(watchId)).toBeUndefined();
    await fire(watchId);
    expect(await mails()).toHaveLength(1);
    expect((await write("update-watch", { watchId, definition: definition() })).status).toBe(200);
    expect(await stateOf(watchId)).toBe("CONFIRMED");
  });

  test("gets nothing more after the watch has been deleted", async () => {
    const { watchId } = await confirmed();
    await fire(watchId);
    expect((await write("delete-watch", { watchId })).status).toBe(200);
    expect(await mails()).toHaveLength(1);
  });

  test.each(["a", "a@localhost", "a@example.com\r\nBcc: b@example.com", "A <a@example.com>"])(
    "%j is refused, and the violation states its position in the list",
    async (email) => {
      const answer = await write("create-watch", { ...definition(), emails: [reader, email] });
      expect([answer.status, json(answer)]).toMatchObject([400, { violations: [{ field: "emails[1]" }] }]);
    },
  );

  test("is refused once the account has added too many addresses today, and the watch is not created", async () => {
    const countOf = async (): Promise<number> =>
      (json(await stack.get("/api/watches/v1/list-watches?page_size=100")) as { watches: unknown[] }).watches.length;
    stack.clock.advance(DAY_MS);
    let refused: IdentifiedAnswer | undefined;
    let before = 0;
    for (let at = 0; at < 5 && !refused; at += 1) {
      before = await countOf();
      const emails = Array.from({ length: 5 }, (_, index) => `many${at}-${index}@example.com`);
      const answer = await write("create-watch", { ...definition(), emails });
      if (answer.status !== 201) refused = answer;
    }
    expect([refused?.status, refused && json(refused)]).toMatchObject([422, { code: "WATCH_EMAIL_LIMIT_REACHED" }]);
    expect(await countOf()).toBe(before);
    stack.clock.advance(DAY_MS);
  });

  test("is refused if the service sends no email", async () => {
    const silent = await startStack({ datasets: ["earthquakes"] });
    const headers = { "x-service-key": silent.service.access.ownerKey.key ?? "", "content-type": JSON_TYPE };
    const body = JSON.stringify(definition());
    const answer = await call(silent.answer, "POST", "/api/watches/v1/create-watch", headers, { body });
    await silent.close();
    expect([answer.status, String(answer.body)]).toEqual([400, expect.stringContaining("this service sends no mail")]);
  });
});

describe("the page behind a link", () => {
  test("is the same for every token, shows nothing from the request, and loads nothing", async () => {
    const pages = await Promise.all(["a", "b", "<script>", ""].map((token) => open(`${CONFIRM}?token=${token}`)));
    expect(new Set(pages.map(({ body }) => String(body))).size).toBe(1);
    const [page] = pages;
    expect(String(page?.body)).not.toMatch(/<script|https?:|\bsrc=|\baction=/);
    expect(String(page?.body)).toContain('<form method="post"><button>Confirm</button></form>');
    expect(page?.headers).toMatchObject({
      "Cache-Control": "no-store",
      "Referrer-Policy": "same-origin",
      "X-Frame-Options": "DENY",
      "Content-Security-Policy": expect.stringContaining("default-src 'none'"),
    });
  });

  test("reports an invalid link to a browser on the page, and to a program in the error body", async () => {
    const pressed = await press(`${CONFIRM}?token=unknown`);
    expect([pressed.status, String(pressed.body)]).toEqual([404, expect.stringContaining("This link is not valid.")]);
    const posted = await call(stack.answer, "POST", CONFIRM, { "content-type": FORM }, { body: "token=unknown" });
    expect([posted.status, json(posted)]).toMatchObject([404, { code: "NOT_FOUND" }]);
  });

  test("accepts GET, HEAD and POST, but no form sent from another site", async () => {
    const link = `${CONFIRM}?token=a`;
    const put = await call(stack.answer, "PUT", link);
    expect([put.status, put.headers["Allow"]]).toEqual([405, "GET, HEAD, POST, OPTIONS"]);
    expect((await call(stack.answer, "HEAD", link)).status).toBe(200);
    const foreign = { "content-type": FORM, origin: "https://evil.example" };
    expect((await call(stack.answer, "POST", link, foreign, { body: "" })).status).toBe(403);
  });

  test("cannot be read through a batch", async () => {
    const body = JSON.stringify({ operations: [{ path: `${CONFIRM}?token=a` }] });
    const headers = { ...ownerKey(), "content-type": JSON_TYPE };
    const batch = json(await call(stack.answer, "POST", "/api/batch/v1/execute", headers, { body }));
    expect(batch).toMatchObject({
      results: [{ status: 405, body: { error: "Method not allowed" } }],
      succeeded: 0,
      failed: 1,
    });
    expect(JSON.stringify(batch)).not.toContain("<form");
  });
});

describe("the link that stops emails", () => {
  const oneClick = "List-Unsubscribe=One-Click";

  test.each([
    ["the button", (link: string) => press(link)],
    ["one click", (link: string) => call(stack.answer, "POST", link, { "content-type": FORM }, { body: oneClick })],
    [
      "one click sent as multipart form data",
      (link: string) =>
        call(
          stack.answer,
          "POST",
          link,
          { "content-type": "multipart/form-data; boundary=b" },
          { body: '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n' },
        ),
    ],
  ])("%s stops the emails of the watch", async (_name, act) => {
    const { watchId } = await confirmed();
    await fire(watchId);
    const [, fired] = await mails();
    const link = linkIn(fired?.text, "stop-watch-email");
    expect(fired?.headers.get("list")).toMatchObject({ unsubscribe: { url: `${ORIGIN}${link}` } });
    await open(link);
    expect(await stateOf(watchId)).toBe("CONFIRMED");
    expect((await act(link)).status).toBe(200);
    expect(await stateOf(watchId)).toBe("STOPPED");
    await fire(watchId);
    expect(await mails()).toHaveLength(2);
  });

  test("a stopped address is a recipient only while the watch names it, and stays stopped when it is named again", async () => {
    const { watchId } = await confirmed();
    await fire(watchId);
    const [, fired] = await mails();
    await press(linkIn(fired?.text, "stop-watch-email"));
    const other = `other-${reader}`;
    const updated = async (...emails: readonly string[]) => {
      const answer = await write("update-watch", { watchId, definition: { ...definition(), emails } });
      return (json(answer) as { readonly watch: ServedWatch }).watch.recipients;
    };
    const pending = { email: other, state: "WATCH_RECIPIENT_STATE_PENDING" };
    const stopped = { email: reader, state: "WATCH_RECIPIENT_STATE_STOPPED" };
    expect(await updated(other)).toEqual([pending]);
    expect(await updated(other, reader)).toEqual([pending, stopped]);
    expect(await updated()).toBeUndefined();
    expect(await updated(reader)).toEqual([stopped]);
  });
});
