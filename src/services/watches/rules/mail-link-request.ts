import { Type } from "typebox";
import { type Failure, failure } from "../../../contract/failures.js";
import type { PathLimit } from "../../../contract/write.js";

/** Calls of the links in mails from one address. Mail services follow the links of many readers. */
export const mailLinkLimit: PathLimit = { name: "watch-mail-link", callsMax: 300 };

const TOKEN_CHARACTERS_MAX = 64;

export const MailLinkRequest = Type.Object(
  { token: Type.String({ minLength: 1, maxLength: TOKEN_CHARACTERS_MAX, description: "The token of the link" }) },
  { title: "WatchMailLinkRequest" },
);

export function linkNotFound(): Failure {
  return failure("itemNotFound", { what: "link", code: "NOT_FOUND" });
}
