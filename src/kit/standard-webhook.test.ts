import { execFileSync, spawnSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { refusedWebhook, signedHeaders, TOLERANCE_SECONDS, webhookSecret } from "./standard-webhook.js";

const SECONDS = 1_795_392_000;
const NOW = SECONDS * 1_000;
const BODY = '{"type":"a","data":{"name":"Zoë"}}';
const [OLD, NEW, OTHER] = ["o", "n", "x"].map((letter) => webhookSecret(Buffer.from(letter.repeat(32)))) as [
  string,
  string,
  string,
];
const message = { id: "msg_1", timestamp: SECONDS, body: BODY };
const headers = signedHeaders(message, [OLD]);

test("a secret is whsec_ followed by its key in base64", () => {
  expect(OLD).toBe(`whsec_${Buffer.from("o".repeat(32)).toString("base64")}`);
});

test("a signature matches the example in the specification", () => {
  const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  const signed = signedHeaders(
    { id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp: 1_614_265_330, body: '{"test": 2432232314}' },
    [secret],
  );
  expect(signed["webhook-signature"]).toBe("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
});

const both = signedHeaders(message, [NEW, OLD]);

test.each([
  ["a signature by the only secret", headers, BODY, [OLD], NOW],
  ["two signatures, checked with the old secret,", both, BODY, [OLD], NOW],
  ["two signatures, checked with the new secret,", both, BODY, [NEW], NOW],
  ["a signature by one of the receiver's two secrets", headers, BODY, [NEW, OLD], NOW],
  ["the oldest accepted time", headers, BODY, [OLD], NOW + TOLERANCE_SECONDS * 1_000],
  ["the latest accepted time", headers, BODY, [OLD], NOW - TOLERANCE_SECONDS * 1_000],
] as const)("a message with %s is authentic", (_, sent, body, secrets, now) => {
  expect(refusedWebhook(sent, body, secrets, now)).toBeUndefined();
});

test.each([
  ["a changed body", headers, BODY.replace("a", "b"), [OLD], NOW, "no signature matches"],
  ["a changed id", { ...headers, "webhook-id": "msg_2" }, BODY, [OLD], NOW, "no signature matches"],
  [
    "a changed time",
    { ...headers, "webhook-timestamp": String(SECONDS + 1) },
    BODY,
    [OLD],
    NOW,
    "no signature matches",
  ],
  ["a signature by another secret", headers, BODY, [OTHER], NOW, "no signature matches"],
  ["a valid signature, checked without a secret,", headers, BODY, [], NOW, "no signature matches"],
  [
    "another version",
    { ...headers, "webhook-signature": headers["webhook-signature"].replace("v1,", "v2,") },
    BODY,
    [OLD],
    NOW,
    "no signature matches",
  ],
  [
    "a shortened signature",
    { ...headers, "webhook-signature": headers["webhook-signature"].slice(0, -4) },
    BODY,
    [OLD],
    NOW,
    "no signature matches",
  ],
  ["an outdated time", headers, BODY, [OLD], NOW + (TOLERANCE_SECONDS + 1) * 1_000, "the message is too old"],
  [
    "a time in the future",
    headers,
    BODY,
    [OLD],
    NOW - (TOLERANCE_SECONDS + 1) * 1_000,
    "the message is from the future",
  ],
  ["no id", { ...headers, "webhook-id": "" }, BODY, [OLD], NOW, "a webhook header is missing or malformed"],
  [
    "a malformed time",
    { ...headers, "webhook-timestamp": "1e9" },
    BODY,
    [OLD],
    NOW,
    "a webhook header is missing or malformed",
  ],
  [
    "no signature",
    { ...headers, "webhook-signature": undefined },
    BODY,
    [OLD],
    NOW,
    "a webhook header is missing or malformed",
  ],
] as const)("a message with %s is refused", (_, sent, body, secrets, now, refusal) => {
  expect(refusedWebhook(sent, body, secrets, now)).toBe(refusal);
});

test("a malformed secret is refused, and the error message does not contain it", () => {
  expect(() => refusedWebhook(headers, BODY, ["whsec_short"], NOW)).toThrow(/24 to 64 bytes/);
  expect(() => refusedWebhook(headers, BODY, ["whsec_short"], NOW)).not.toThrow(/short/);
});

/** Independent implementations, by name: each signs a message with a key given in hexadecimal. */
const independent: Readonly<Record<string, (signed: string, keyHex: string) => string>> = {
  openssl: (signed, keyHex) =>
    execFileSync("openssl", ["dgst", "-sha256", "-mac", "HMAC", "-macopt", `hexkey:${keyHex}`, "-binary"], {
      input: signed,
    }).toString("base64"),
  python3: (signed, keyHex) =>
    execFileSync(
      "python3",
      [
        "-c",
        "import base64,hmac,sys\nprint(base64.b64encode(hmac.digest(bytes.fromhex(sys.argv[1]),sys.stdin.buffer.read(),'sha256')).decode(),end='')",
        keyHex,
      ],
      { input: signed },
    ).toString(),
  "node:crypto": (signed, keyHex) =>
    createHmac("sha256", Buffer.from(keyHex, "hex")).update(signed).digest().toString("base64"),
};

for (const [name, sign] of Object.entries(independent)) {
  const isThere = name === "node:crypto" || spawnSync(name, ["--version"]).error === undefined;
  test.skipIf(!isThere)(
    `${name} computes the same signatures as signedHeaders${isThere ? "" : `, skipped: ${name} is not installed`}`,
    () => {
      for (const [secret, signature] of [NEW, OLD].map((key, at) => [key, both["webhook-signature"].split(" ")[at]])) {
        const keyHex = Buffer.from(String(secret).slice("whsec_".length), "base64").toString("hex");
        expect(`v1,${sign(`msg_1.${SECONDS}.${BODY}`, keyHex)}`).toBe(signature);
      }
    },
  );
}
