import { expect, test } from "vitest";
import type { CommandCall, PostReceiver } from "../../../contract/service-command.js";
import { settingReader } from "../../../contract/setting.js";
import { OperatorError } from "../../../kit/operator-error.js";
import { webhookSecret } from "../../../kit/standard-webhook.js";
import { listen } from "./listen.js";

const SECRET = webhookSecret(Buffer.from("s".repeat(32)));

/** Runs the command and waits until it listens. */
async function listening(options: Readonly<Record<string, string>>, env: Readonly<Record<string, string>> = {}) {
  const receivers: PostReceiver[] = [];
  const printed: string[] = [];
  const call: CommandCall = {
    argument: "",
    options,
    setting: settingReader(env),
    send: () => Promise.reject(new Error("the command must not call a service")),
    readText: () => Promise.reject(new Error("the command must not read a file")),
    say: (line) => void printed.push(line),
    note: (line) => void printed.push(line),
    async receive(receiver) {
      receivers.push(receiver);
      receiver.onListening("http://127.0.0.1:8791");
    },
  };
  await listen.run(call);
  return { receiver: receivers[0], printed };
}

test("vigil webhook listen prints how the service can reach it, and never prints a secret", async () => {
  const { receiver, printed } = await listening({ host: "127.0.0.1", port: "0", secret: `${SECRET},${SECRET}` });
  expect(receiver).toMatchObject({ host: "127.0.0.1", port: 0 });
  expect(printed.join("\n")).toContain("http://127.0.0.1:8791/ with 2 secrets");
  expect(printed.join("\n")).toContain("VIGIL_WEBHOOK_PRIVATE_TARGETS=http://127.0.0.1:8791");
  expect(printed.join("\n")).not.toContain(SECRET.slice("whsec_".length));
});

test("vigil webhook listen takes its secrets from the environment, and prints a line for each message", async () => {
  const { receiver, printed } = await listening({}, { VIGIL_WEBHOOK_SECRET: SECRET });
  expect(receiver?.onPost({ headers: {}, body: "", receivedAt: 0 })).toBe(400);
  expect(printed.at(-1)).toMatch(/^1970-01-01T00:00:00.000Z {2}400 {2}refused: no webhook-id/);
});

test.each([
  [{}, /^VIGIL_WEBHOOK_SECRET or --secret must/],
  [{ secret: "whsec_dG9vIHNob3J0" }, /^a webhook secret must be whsec_ followed by 24 to 64 bytes in base64$/],
  [{ secret: SECRET, port: "65536" }, /^--port must be a whole number from 0 to 65535, got 65536$/],
  [{ secret: SECRET, status: "100" }, /^--status must be a whole number from 200 to 599, got 100$/],
  [{ secret: SECRET, failFirst: "-1" }, /^--fail-first must be a whole number/],
])("vigil webhook listen refuses %j", async (options, sentence) => {
  const failed = listening(options as Readonly<Record<string, string>>);
  await expect(failed).rejects.toThrow(OperatorError);
  await expect(failed).rejects.toThrow(sentence);
});
