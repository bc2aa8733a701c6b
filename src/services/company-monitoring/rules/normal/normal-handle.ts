import { SOCIAL_HANDLE_BYTES_MAX } from "../limits.js";
import { type Normal, normalText } from "./normal-text.js";

/** Returns the social handle in lower case, without a leading `@`. */
export function normalHandle(text: string): Normal<string> {
  const plain = normalText(text, SOCIAL_HANDLE_BYTES_MAX);
  if ("problem" in plain) return plain;
  const value = plain.value.replace(/^@/, "").toLowerCase();
  return /^[a-z0-9_]{1,15}$/.test(value)
    ? { value }
    : { problem: "must be a handle of 1 to 15 letters, digits and `_`, with or without a leading `@`" };
}
