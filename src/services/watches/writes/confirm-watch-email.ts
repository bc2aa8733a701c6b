import { mailLinkWrite } from "../rules/mail-link-write.js";

export const confirmWatchEmail = mailLinkWrite({
  rpc: "confirm-watch-email",
  summary: "Confirm an address for watch emails",
  description:
    "The target of the link in the email that asks to confirm an address. The token may be in the query. The link works for 7 days, and can be used repeatedly.",
  page: {
    title: "Watch emails",
    question: "Confirm that this service may send watch emails to your address.",
    button: "Confirm",
    done: "Your address is confirmed. Every email has a link that stops the emails of its watch.",
    refused: "This link is not valid. Links work for 7 days, and only the latest one works.",
  },
  member: "confirmed",
  responseTitle: "ConfirmWatchEmailResponse",
  follow: (links, token) => links.confirm(token),
});
