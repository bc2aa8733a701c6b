import { Type } from "typebox";
import { write } from "../../../contract/write.js";
import { mailLinks } from "../mail-ports.js";
import { linkNotFound, MailLinkRequest, mailLinkLimit } from "../rules/mail-link-request.js";

export const stopWatchEmail = write({
  rpc: "stop-watch-email",
  summary: "Stop mails of a watch to an address",
  description:
    "The link in every mail of a watch, also for one-click unsubscription (RFC 8058). The token may be in the query. It does not expire, and can be repeated.",
  access: "open",
  limit: mailLinkLimit,
  repeats: "ignored",
  isTransaction: true,
  isForm: true,
  page: {
    title: "Mails of a watch",
    question: "Stop the mails of this watch to your address.",
    button: "Stop mails",
    done: "You get no more mails of this watch.",
    refused: "This link is not valid, or the watch no longer exists.",
  },
  failures: ["itemNotFound"],
  uses: { links: mailLinks },
  request: MailLinkRequest,
  response: Type.Object({ stopped: Type.Boolean({ description: "True" }) }, { title: "StopWatchEmailResponse" }),
  async run({ token }, { ports }) {
    if (!(await ports.links.stop(token))) throw linkNotFound();
    return { body: { stopped: true } };
  },
});
