import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type SmtpTestOptions, type SmtpTestServer, startSmtp } from "../../test/support/smtp.js";
import { type MailMessage, smtpUrl } from "../contract/mail.js";
import { manualClock } from "../kit/manual-clock.js";
import { type SmtpSender, smtpSender } from "./smtp-mail.js";

const NOW = Date.UTC(2026, 10, 23);
const PASSWORD = "hunter2-secret";
const never = new AbortController().signal;
const message: MailMessage = {
  to: "reader@example.com",
  subject: "A watch fired",
  text: "Line one\n.\nLine three, with ü\n",
  html: "<p>Line one</p>",
  messageId: "<m1@example.com>",
  headers: { "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" },
};

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function started(options: SmtpTestOptions = {}): Promise<SmtpTestServer> {
  const server = await startSmtp(options);
  ends.push(server.close);
  return server;
}

function senderTo(url: string, more: { readonly extraCa?: string; readonly isSimulated?: boolean } = {}): SmtpSender {
  const server = smtpUrl.read(url);
  if (!server) throw new Error("no server");
  const clock = manualClock(NOW);
  const sender = smtpSender({ server, from: "vigil@example.org", clock, isSimulated: false, ...more });
  ends.push(sender.close);
  return sender;
}

describe("emails", () => {
  test("an email arrives as written, with its id, its sender and its headers", async () => {
    const server = await started();
    expect(await senderTo(`smtp://127.0.0.1:${server.port}`).send(message, never)).toEqual({ kind: "accepted" });
    const [mail] = server.received;
    expect(mail?.to).toBe("reader@example.com");
    const { parsed, raw } = mail ?? {};
    expect(parsed).toMatchObject({ messageId: "<m1@example.com>", subject: "A watch fired", date: new Date(NOW) });
    expect([parsed?.from?.text, parsed?.text, parsed?.html]).toEqual([
      '"Vigil" <vigil@example.org>',
      message.text,
      "<p>Line one</p>",
    ]);
    expect(raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
    expect(raw).toMatch(/^Auto-Submitted: auto-generated\r$/m);
    expect(raw).not.toMatch(/^X-(?:Vigil-Data|Mailer):/m);
  });

  test("an email of a demo is labelled in its subject and in a header", async () => {
    const server = await started();
    await senderTo(`smtp://127.0.0.1:${server.port}`, { isSimulated: true }).send(message, never);
    expect(server.received[0]?.parsed.subject).toBe("[simulated] A watch fired");
    expect(server.received[0]?.raw).toMatch(/^X-Vigil-Data: simulated\r$/m);
  });

  test.each([
    "Quakes\r\nBcc: victim@example.net",
    "Quakes\nX-Evil: yes\n\nbody",
    "Quakes\u2028\u0000\u0085Bcc: victim@example.net",
    `${"long ".repeat(300)}\r\nBcc: victim@example.net`,
    "=?utf-8?q?Quakes=0D=0ABcc:_victim=40example.net?=",
    "\u202egnp.exe\u202c",
  ])("no subject can add a header or a recipient to its email (case %#)", async (subject) => {
    const server = await started();
    await senderTo(`smtp://127.0.0.1:${server.port}`).send({ ...message, subject }, never);
    const [mail] = server.received;
    expect(mail?.to).toBe("reader@example.com");
    const names = [...(mail?.parsed.headers.keys() ?? [])].sort();
    expect(names).toEqual([
      "auto-submitted",
      "content-type",
      "date",
      "from",
      "list",
      "message-id",
      "mime-version",
      "subject",
      "to",
    ]);
    expect(mail?.parsed.subject).not.toMatch(/[\p{Cc}\u2028\u202e]/u);
  });

  test("an email with a control character in a header other than the subject is not sent, and sending throws", async () => {
    const server = await started();
    const sending = senderTo(`smtp://127.0.0.1:${server.port}`).send(
      { ...message, headers: { "List-Unsubscribe": "<https://a.example/>\r\nBcc: victim@example.net" } },
      never,
    );
    await expect(sending).rejects.toThrow("the mail header List-Unsubscribe contains a control character");
    expect(server.received).toEqual([]);
  });
});

describe("refusals", () => {
  test.each([
    [550, "5.1.1 no such user", "address-refused"],
    [550, "no such user", "address-refused"],
    [550, "5.7.1 relaying denied", "failed"],
    [552, "5.2.2 mailbox full", "failed"],
    [450, "4.2.0 greylisted, come back later", "failed"],
  ])("if the server refuses the recipient with '%s %s', the outcome is %s", async (code, text, kind) => {
    const server = await started({ onRecipient: () => ({ code, text }) });
    expect(await senderTo(`smtp://127.0.0.1:${server.port}`).send(message, never)).toEqual({
      kind,
      reason: `the mail server answered ${code} ${text}`,
    });
  });

  test.each([
    [554, "5.6.0 content refused", "refused"],
    [451, "4.3.0 try again", "failed"],
  ])("if the server refuses the content with '%s %s', the outcome is %s", async (code, text, kind) => {
    const server = await started({ onMessage: () => ({ code, text }) });
    expect(await senderTo(`smtp://127.0.0.1:${server.port}`).send(message, never)).toMatchObject({ kind });
  });

  test("a refused login is reported without the password", async () => {
    const server = await started({ login: { user: "vigil", password: "other" } });
    const outcome = await senderTo(`smtp://vigil:${PASSWORD}@127.0.0.1:${server.port}`).send(message, never);
    expect(outcome).toEqual({ kind: "failed", reason: "the mail server refused the login (535)" });
  });
});

describe("connections", () => {
  test("an attempt fails while the server is down, and the next attempt succeeds once it is up", async () => {
    const first = await started();
    await first.close();
    const sender = senderTo(`smtp://127.0.0.1:${first.port}`);
    expect(await sender.send(message, never)).toEqual({
      kind: "failed",
      reason: "the mail server refused the connection",
    });
    const server = await started({ port: first.port });
    expect(await sender.send(message, never)).toEqual({ kind: "accepted" });
    expect(server.received).toHaveLength(1);
  });

  test("an attempt fails after the time limit if the server never answers", async () => {
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const connected = new Promise<void>((resolve) =>
      silent.once("connection", (socket) => {
        ends.push(() => socket.destroy());
        resolve();
      }),
    );
    ends.push(() => silent.close());
    const clock = manualClock(NOW);
    const { port } = silent.address() as { readonly port: number };
    const server = smtpUrl.read(`smtp://127.0.0.1:${port}`);
    if (!server) throw new Error("no server");
    const sender = smtpSender({ server, from: "vigil@example.org", clock, isSimulated: false });
    ends.push(sender.close);
    const sending = sender.send(message, never);
    await connected;
    clock.advance(45_000);
    expect(await sending).toEqual({ kind: "failed", reason: "no answer within 45 s" });
  });

  test("an attempt is cancelled when the process stops", async () => {
    const stopping = new AbortController();
    let arrived: () => void = () => undefined;
    const arrival = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const server = await started({
      onMessage: () => {
        arrived();
        return new Promise(() => undefined);
      },
    });
    const sending = senderTo(`smtp://127.0.0.1:${server.port}`).send(message, stopping.signal);
    await arrival;
    stopping.abort(new Error("stopping"));
    await expect(sending).rejects.toThrow("stopping");
  });
});

function hasOpenssl(): boolean {
  try {
    execFileSync("openssl", ["version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** A self-signed certificate for localhost. */
function certificate(): { readonly key: string; readonly cert: string } {
  const folder = mkdtempSync(join(tmpdir(), "vigil-smtp-"));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-days", "2"];
  const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  execFileSync("openssl", ["req", "-x509", ...kind, ...subject, "-keyout", key, "-out", cert], { stdio: "ignore" });
  const pair = { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
  rmSync(folder, { recursive: true });
  return pair;
}

describe.skipIf(!hasOpenssl())("TLS (skipped without openssl, which makes the certificate)", () => {
  const login = { user: "vigil", password: PASSWORD };

  test("a login uses TLS from the start, with a trusted certificate", async () => {
    const own = certificate();
    const server = await started({ certificate: own, secure: true, login });
    const url = `smtps://vigil:${PASSWORD}@localhost:${server.port}`;
    expect(await senderTo(url, { extraCa: own.cert }).send(message, never)).toEqual({ kind: "accepted" });
    expect(server.received[0]?.wasEncrypted).toBe(true);
  });

  test("an untrusted certificate is refused", async () => {
    const server = await started({ certificate: certificate(), secure: true, login });
    const outcome = await senderTo(`smtps://vigil:${PASSWORD}@localhost:${server.port}`).send(message, never);
    expect(outcome).toEqual({ kind: "failed", reason: "the certificate of the mail server is not valid" });
    expect(server.received).toEqual([]);
  });
});

/** A sender that treats the local server as a remote one and therefore requires TLS. */
function senderElsewhere(port: number, tls: "by STARTTLS", extraCa?: string): SmtpSender {
  const server = { host: "localhost", port, tls, login: { user: "vigil", password: PASSWORD } } as const;
  const trusted = extraCa === undefined ? {} : { extraCa };
  const sender = smtpSender({ server, from: "v@example.org", clock: manualClock(NOW), isSimulated: false, ...trusted });
  ends.push(sender.close);
  return sender;
}

describe.skipIf(!hasOpenssl())("STARTTLS (skipped without openssl, which makes the certificate)", () => {
  test("STARTTLS is used before the login", async () => {
    const own = certificate();
    const server = await started({ certificate: own, login: { user: "vigil", password: PASSWORD } });
    expect(await senderElsewhere(server.port, "by STARTTLS", own.cert).send(message, never)).toEqual({
      kind: "accepted",
    });
    expect(server.received[0]?.wasEncrypted).toBe(true);
  });

  test("no mail is sent if the server does not offer STARTTLS, as when an attacker has removed the offer", async () => {
    const onMessage = vi.fn();
    const server = await started({ login: { user: "vigil", password: PASSWORD }, onMessage });
    const outcome = await senderElsewhere(server.port, "by STARTTLS").send(message, never);
    expect(outcome).toEqual({ kind: "failed", reason: "the mail server offers no TLS" });
    expect(onMessage).not.toHaveBeenCalled();
  });
});
