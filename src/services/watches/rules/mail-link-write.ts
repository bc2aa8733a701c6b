import { Type } from "typebox";
import { failure } from "../../../contract/failures.js";
import { type PathLimit, type WritePage, write } from "../../../contract/write.js";
import { type MailLinks, mailLinks } from "../mail-ports.js";

/**
 * Maximum number of requests per minute, from one IP address, through links in emails. The limit is high, because a
 * mail service can follow the links in the emails of many readers from a single IP address.
 */
const mailLinkLimit: PathLimit = { name: "watch-mail-link", callsMax: 300 };

const TOKEN_CHARACTERS_MAX = 64;

const MailLinkRequest = Type.Object(
  { token: Type.String({ minLength: 1, maxLength: TOKEN_CHARACTERS_MAX, description: "The token of the link" }) },
  { title: "WatchMailLinkRequest" },
);

interface MailLink {
  readonly rpc: string;
  readonly summary: string;
  readonly description: string;
  readonly page: WritePage;
  /** The member of the answer that states what was done. */
  readonly member: string;
  readonly responseTitle: string;
  /** False for an invalid token. */
  readonly follow: (links: MailLinks, token: string) => Promise<boolean>;
}

/** Declares the write for a link in an email. The token of the link is the credential. */
export function mailLinkWrite({ member, responseTitle, follow, ...described }: MailLink) {
  return write({
    ...described,
    access: "open",
    limit: mailLinkLimit,
    repeats: "ignored",
    isTransaction: true,
    isForm: true,
    failures: ["itemNotFound"],
    uses: { links: mailLinks },
    request: MailLinkRequest,
    example: { token: "f3a1…" },
    response: Type.Object({ [member]: Type.Boolean({ description: "Always true" }) }, { title: responseTitle }),
    async run({ token }, { ports }) {
      if (!(await follow(ports.links, token))) throw failure("itemNotFound", { what: "link", code: "NOT_FOUND" });
      return { body: { [member]: true } };
    },
  });
}
