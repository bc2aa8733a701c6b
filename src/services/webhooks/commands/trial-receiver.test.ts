import { describe, expect, test } from "vitest";
import { signedHeaders, webhookSecret } from "../../../kit/standard-webhook.js";
import { trialReceiver } from "./trial-receiver.js";

const SECONDS = 1_795_392_000;
const BODY = '{"type":"thing.changed","data":{}}';
const SECRET = webhookSecret(Buffer.from("s".repeat(32)));
const OTHER = webhookSecret(Buffer.from("o".repeat(32)));

/** Creates a message that was signed now, or `ageSeconds` ago. */
function message(id = "msg_1", { secret = SECRET, ageSeconds = 0 } = {}) {
  const signed = signedHeaders({ id, timestamp: SECONDS - ageSeconds, body: BODY }, [secret]);
  return { headers: { ...signed }, body: BODY as string | undefined, receivedAt: SECONDS * 1_000 };
}

const receiver = ({ secrets = [SECRET], refusedCount = 0, refusedStatus = 500 } = {}) =>
  trialReceiver({ secrets, refusedCount, refusedStatus });

const AT = new Date(SECONDS * 1_000).toISOString();

describe("a receiver for trying webhooks", () => {
  test("answers 204 to verified messages, and reports repeats", () => {
    const receive = receiver({ secrets: [OTHER, SECRET] });
    expect(receive(message())).toEqual({ status: 204, line: `${AT}  204  verified  msg_1  ${BODY}` });
    expect(receive(message())).toEqual({ status: 204, line: `${AT}  204  verified, repeated  msg_1  ${BODY}` });
    expect(receive(message("msg_2")).line).toContain("  verified  msg_2");
  });

  test.each([
    [
      "was tampered with",
      { ...message(), body: BODY.replace("thing", "king") },
      "no signature matches: the message was changed",
    ],
    ["was signed with another secret", message("msg_1", { secret: OTHER }), "no signature matches"],
    ["is too old", message("msg_1", { ageSeconds: 301 }), "the message is too old"],
    ["is too new", message("msg_1", { ageSeconds: -301 }), "the message is from the future"],
    [
      "has no signature",
      { ...message(), headers: { ...message().headers, "webhook-signature": undefined } },
      "no webhook-signature",
    ],
    [
      "has no webhook headers at all",
      { ...message(), headers: {} },
      "no webhook-id, no webhook-timestamp, no webhook-signature",
    ],
    [
      "has a malformed time",
      { ...message(), headers: { ...message().headers, "webhook-timestamp": "now" } },
      "webhook-timestamp is malformed",
    ],
  ])("refuses a message that %s", (_, post, reason) => {
    const { status, line } = receiver()(post);
    expect([status, line]).toEqual([400, expect.stringContaining(`  400  refused: ${reason}`)]);
    expect(line).not.toContain("thing.changed");
  });

  test("refuses a body that was too large to read", () => {
    expect(receiver()({ ...message(), body: undefined })).toMatchObject({ status: 413 });
  });

  test("rejects the first `refusedCount` verified messages; messages that are not verified do not count", () => {
    const receive = receiver({ refusedCount: 2, refusedStatus: 503 });
    const posts = [message(), { ...message(), body: "x" }, message(), message()];
    expect(posts.map((post) => receive(post).status)).toEqual([503, 400, 503, 204]);
  });

  test("shortens a received id and removes its control characters before printing it", () => {
    const headers = { ...message().headers, "webhook-id": `\u001b[2J\n${"x".repeat(500)}` };
    const { line } = receiver()({ ...message(), headers });
    expect(line).not.toMatch(/\p{C}/u);
    expect(line.length).toBeLessThan(300);
  });
});
