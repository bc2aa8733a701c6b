import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { systemClock } from "../src/kit/clock.js";
import { signedHeaders, type WebhookHeaders, webhookSecret } from "../src/kit/standard-webhook.js";
import { loadServices } from "../src/services/registry.js";
import { blocksOf } from "./support/documents/blocks.js";
import { type PythonProgram, pythonProgram } from "./support/python-program.js";

/* The verification code of docs/webhooks.md accepts authentic messages and rejects all others. */

const page = readFileSync(resolve(import.meta.dirname, "../docs/webhooks.md"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "vigil-webhook-"));
let python: PythonProgram | undefined;
afterAll(() => {
  python?.close();
  rmSync(folder, { recursive: true });
});

/** The code that verifies a message, in one of the languages of the page. */
function codeIn(language: string): string {
  const block = blocksOf("docs/webhooks.md").find(
    (candidate) => candidate.language === language && candidate.label === "verify",
  );
  if (block === undefined) throw new Error(`docs/webhooks.md has no code in ${language} that verifies a message`);
  return block.code;
}

const { streams } = await loadServices();

test.each([...new Set(streams.map(({ stream }) => stream.log))])(
  "docs/webhooks.md has the scope, subject and facets of $event",
  ({ event, scope, subject, facets }) => {
    const names = Object.keys(facets).map((facet) => `\`${facet}\``);
    expect(page).toContain(`| \`${event}\` | \`${scope}\` | \`${subject}\` | ${names.join(", ")} |`);
  },
);

const BODY = '{"type":"a","data":{"name":"Zoë"}}';
const [SECRET, OTHER] = ["a", "b"].map((letter) => webhookSecret(Buffer.from(letter.repeat(32)))) as [string, string];
// The real time, because the code of the page reads the machine's clock.
const now = Math.floor(systemClock.now() / 1_000);

interface Message {
  readonly headers: WebhookHeaders;
  readonly body: string;
  readonly secret: string;
}

const sent = (timestamp = now, secrets: readonly string[] = [SECRET]): WebhookHeaders =>
  signedHeaders({ id: "msg_1", timestamp, body: BODY }, secrets);

const messages: readonly (readonly [name: string, isAuthentic: boolean, message: Message])[] = [
  ["a message", true, { headers: sent(), body: BODY, secret: SECRET }],
  ["the first of two signatures", true, { headers: sent(now, [SECRET, OTHER]), body: BODY, secret: SECRET }],
  ["the second of two signatures", true, { headers: sent(now, [SECRET, OTHER]), body: BODY, secret: OTHER }],
  ["a changed body", false, { headers: sent(), body: BODY.replace("a", "b"), secret: SECRET }],
  ["another secret", false, { headers: sent(), body: BODY, secret: OTHER }],
  ["an old message", false, { headers: sent(now - 400), body: BODY, secret: SECRET }],
  ["a message from the future", false, { headers: sent(now + 400), body: BODY, secret: SECRET }],
  ["a changed id", false, { headers: { ...sent(), "webhook-id": "msg_2" }, body: BODY, secret: SECRET }],
];

/** Starts one Python process that judges all messages with the code of the page. */
function pythonJudge(): PythonProgram {
  const main = `
import json
def main(args):
    m = json.loads(args[0])
    return 0 if is_authentic(m["headers"], m["body"].encode(), m["secret"]) else 1
`;
  const file = join(folder, "verify.py");
  writeFileSync(file, `${codeIn("python")}\n${main}`);
  return pythonProgram(file);
}

/** By language: the program needed to run the code of the page, and a function that lets the code judge a message. */
const verifiers: Readonly<
  Record<string, { readonly needs: string; judge(message: Message): Promise<boolean> | boolean }>
> = {
  js: {
    needs: "node",
    async judge({ headers, body, secret }) {
      const file = join(folder, "verify.mjs");
      writeFileSync(file, codeIn("js"));
      const { isAuthentic } = await import(pathToFileURL(file).href);
      return isAuthentic(headers, body, secret);
    },
  },
  python: {
    needs: "python3",
    async judge(message) {
      python ??= pythonJudge();
      const [code, output] = await python.run([JSON.stringify(message)]);
      expect(output).toBe("");
      return code === 0;
    },
  },
  sh: {
    needs: "openssl",
    judge({ headers, body, secret }) {
      writeFileSync(join(folder, "body.json"), body);
      const env = {
        PATH: process.env["PATH"],
        SECRET: secret,
        WEBHOOK_ID: headers["webhook-id"],
        WEBHOOK_TIMESTAMP: headers["webhook-timestamp"],
        WEBHOOK_SIGNATURE: headers["webhook-signature"],
      };
      const { status, stderr } = spawnSync("sh", ["-c", codeIn("sh")], { cwd: folder, env });
      expect(String(stderr)).toBe("");
      return status === 0;
    },
  },
};

for (const [language, { needs, judge }] of Object.entries(verifiers)) {
  const isThere = spawnSync(needs, ["--version"]).error === undefined;
  const title = `the ${language} code of docs/webhooks.md`;
  describe.skipIf(!isThere)(isThere ? title : `${title}, skipped: ${needs} is not installed`, () => {
    test.each(messages)("judges whether %s is authentic: %s", async (_, isAuthentic, message) => {
      expect(await judge(message)).toBe(isAuthentic);
    });
  });
}
