import { Type } from "typebox";
import { write } from "../../../contract/write.js";
import { mailLinks } from "../mail-ports.js";
import { linkNotFound, MailLinkRequest, mailLinkLimit } from "../rules/mail-link-request.js";

export const confirmWatchEmail = write({
  rpc: "confirm-watch-email",
  summary: "Confirm an address for mails of watches",
  description:
    "The link in the mail that a newly named address gets. The token may be in the query. It works for 7 days, and can be repeated.",
  access: "open",
  limit: mailLinkLimit,
  repeats: "ignored",
  isTransaction: true,
  isForm: true,
  page: {
    title: "Mails of watches",
    question: "Confirm that this service may send mails of watches to your address.",
    button: "Confirm",
    done: "Your address is confirmed. Every mail has a link that ends the mails of its watch.",
    refused: "This link is not valid. Links work for 7 days, and only the newest one works.",
  },
  failures: ["itemNotFound"],
  uses: { links: mailLinks },
  request: MailLinkRequest,
  response: Type.Object({ confirmed: Type.Boolean({ description: "True" }) }, { title: "ConfirmWatchEmailResponse" }),
  async run({ token }, { ports }) {
    if (!(await ports.links.confirm(token))) throw linkNotFound();
    return { body: { confirmed: true } };
  },
});
