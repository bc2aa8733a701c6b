import type { ReceivedPost } from "../../../contract/service-command.js";
import { cutText } from "../../../kit/cut-text.js";
import { refusedWebhook } from "../../../kit/standard-webhook.js";

export interface TrialReceiverOptions {
  readonly secrets: readonly string[];
  /** Number of verified messages to reject before accepting any. */
  readonly refusedCount: number;
  readonly refusedStatus: number;
}

/** The answer to a message, and the line printed for it. */
export interface JudgedMessage {
  readonly status: number;
  readonly line: string;
}

/** Maximum number of ids kept to recognise repeated messages. */
const IDS_MAX = 10_000;
const SHOWN_CHARACTERS_MAX = 300;
const ID_CHARACTERS_MAX = 64;

/** Creates a receiver that verifies messages, remembers their ids, and can reject the first verified ones. */
export function trialReceiver({ secrets, refusedCount, refusedStatus }: TrialReceiverOptions) {
  const accepted = new Set<string>();
  let refused = 0;

  function statusOf(id: string): { readonly status: number; readonly outcome: string } {
    if (refused < refusedCount) {
      refused += 1;
      return { status: refusedStatus, outcome: "verified, refused on request" };
    }
    const isRepeated = accepted.has(id);
    accepted.add(id);
    // A set keeps the order of insertion, so its first id is the oldest.
    for (const oldest of accepted) {
      if (accepted.size <= IDS_MAX) break;
      accepted.delete(oldest);
    }
    return { status: 204, outcome: isRepeated ? "verified, repeated" : "verified" };
  }

  return ({ headers, body, receivedAt }: ReceivedPost): JudgedMessage => {
    const id = String(headers["webhook-id"] ?? "");
    const line = (status: number, outcome: string, content: string): JudgedMessage => ({
      status,
      line: [new Date(receivedAt).toISOString(), status, outcome, shown(id, ID_CHARACTERS_MAX) || "no id", content]
        .filter((part) => part !== "")
        .join("  "),
    });
    if (body === undefined) return line(413, "refused: the body is larger than 1 MB", "");
    const refusal = refusedWebhook(headers, body, secrets, receivedAt);
    if (refusal !== undefined) return line(400, `refused: ${reasons[refusal](headers)}`, "");
    const { status, outcome } = statusOf(id);
    return line(status, outcome, shown(body, SHOWN_CHARACTERS_MAX));
  };
}

type Headers = ReceivedPost["headers"];
type Refusal = NonNullable<ReturnType<typeof refusedWebhook>>;

/** The explanation of each rejection for a developer who is trying out webhooks. */
const reasons: Readonly<Record<Refusal, (headers: Headers) => string>> = {
  "a webhook header is missing or malformed": (headers) => {
    const missing = ["webhook-id", "webhook-timestamp", "webhook-signature"].filter((name) => !headers[name]);
    return missing.length === 0 ? "webhook-timestamp is malformed" : `no ${missing.join(", no ")}`;
  },
  "the message is too old": () => "the message is too old, or the clock of this machine is fast",
  "the message is from the future": () => "the message is from the future, or the clock of this machine is slow",
  "no signature matches": () =>
    "no signature matches: the message was changed in transit, or signed with another secret",
};

/** Returns the text shortened to one line, without control characters. */
function shown(text: string, charactersMax: number): string {
  const printable = cutText(text, charactersMax).replace(/\p{C}/gu, " ");
  return printable.length < text.length ? `${printable}…` : printable;
}
