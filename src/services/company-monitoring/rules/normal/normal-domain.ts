import { DOMAIN_BYTES_MAX } from "../limits.js";
import { type Normal, normalText } from "./normal-text.js";

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const LAST_LABEL = /^[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const PROBLEM = "must be a host name such as example.com; write names with non-ASCII characters in Punycode";

/** Returns the host name in lower case, without a leading `www.` or a trailing dot. */
export function normalDomain(text: string): Normal<string> {
  const plain = normalText(text, DOMAIN_BYTES_MAX);
  if ("problem" in plain) return plain;
  const host = plain.value.toLowerCase().replace(/\.$/, "");
  // In `www.com`, `www` is the name itself and not a prefix.
  const labels = host.replace(/^www\.(?=[^.]*\.)/, "").split(".");
  const isHost =
    labels.length > 1 && labels.every((label) => LABEL.test(label)) && LAST_LABEL.test(labels.at(-1) ?? "");
  return isHost ? { value: labels.join(".") } : { problem: PROBLEM };
}
