import type { ServiceCommand } from "../../../contract/service-command.js";
import { OperatorError } from "../../../kit/operator-error.js";
import { checkWebhookSecret } from "../../../kit/standard-webhook.js";
import { listenerSecrets, privateTargets } from "../settings.js";
import { trialReceiver } from "./trial-receiver.js";

const PORT = "8791";
const PORT_MAX = 65_535;
const FAILURES_MAX = 1_000_000;

/**
 * The command `vigil webhook listen`, which receives messages on this machine and prints whether their signatures are
 * valid.
 */
export const listen: ServiceCommand = {
  name: "listen",
  description: "receives webhooks on this machine, verifies their signatures and prints a line for each",
  isLocal: true,
  options: [
    { flags: "--port <port>", description: "port to listen on; 0 picks a free port", default: PORT },
    { flags: "--host <address>", description: "address to listen on", default: "127.0.0.1" },
    {
      flags: "--secret <secret>",
      description: `secret of the endpoint; repeat the option for several secrets. ${listenerSecrets.name} is safer: other users of the machine cannot see it`,
      repeats: true,
    },
    {
      flags: "--fail-first <count>",
      description: "refuse this many verified messages first, to try out retries",
      default: "0",
    },
    {
      flags: "--status <status>",
      description:
        "status of the refusals by --fail-first; default: 500. If only --status is set, every verified message is answered with this status",
    },
  ],
  examples: [
    `${listenerSecrets.name}=whsec_… vigil webhook listen`,
    `${listenerSecrets.name}=whsec_… vigil webhook listen --fail-first 3 --status 503`,
  ],
  exitCodes: "0 ended by Ctrl-C; 1 the port or a secret cannot be used",
  async run({ options, setting, receive, say, note }) {
    const port = numberIn("--port", options["port"] ?? PORT, { min: 0, max: PORT_MAX });
    const text = options["secret"];
    const secrets = checkedSecrets(text === undefined ? setting(listenerSecrets) : listenerSecrets.read(text));
    const status = options["status"];
    const failures = numberIn("--fail-first", options["failFirst"] ?? "0", {
      min: 0,
      max: FAILURES_MAX,
    });
    const receiver = trialReceiver({
      secrets,
      refusedCount: status !== undefined && failures === 0 ? Number.POSITIVE_INFINITY : failures,
      refusedStatus: numberIn("--status", status ?? "500", { min: 200, max: 599 }),
    });
    await receive({
      host: options["host"] ?? "127.0.0.1",
      port,
      onListening(origin) {
        note(
          `Listening at ${origin}/ with ${secrets.length === 1 ? "one secret" : `${secrets.length} secrets`}; press Ctrl-C to stop`,
        );
        note(`The service sends to a private address only if it runs with ${privateTargets.name}=${origin}`);
      },
      onPost(post) {
        const { status: answeredStatus, line } = receiver(post);
        say(line);
        return answeredStatus;
      },
    });
  },
};

function checkedSecrets(secrets: readonly string[]): readonly string[] {
  if (secrets.length === 0) {
    throw new OperatorError(
      `${listenerSecrets.name} or --secret must contain the secret that create-webhook-endpoint returned`,
    );
  }
  for (const secret of secrets) {
    try {
      checkWebhookSecret(secret);
    } catch (error) {
      throw new OperatorError((error as Error).message, { cause: error });
    }
  }
  return secrets;
}

function numberIn(option: string, text: string, { min, max }: { readonly min: number; readonly max: number }): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw new OperatorError(`${option} must be a whole number from ${min} to ${max}, got ${text}`);
}
