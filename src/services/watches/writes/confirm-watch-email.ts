import { mailLinkWrite } from "../rules/mail-link-write.js";

export const confirmWatchEmail = mailLinkWrite({
  rpc: "confirm-watch-email",
  summary: "Confirm an address for mails of watches",
  description:
    "The link in the mail that a newly named address gets. The token may be in the query. It works for 7 days, and can be repeated.",
  page: {
    title: "Mails of watches",
    question: "Confirm that this service may send mails of watches to your address.",
    button: "Confirm",
    done: "Your address is confirmed. Every mail has a link that ends the mails of its watch.",
    refused: "This link is not valid. Links work for 7 days, and only the newest one works.",
  },
  member: "confirmed",
  responseTitle: "ConfirmWatchEmailResponse",
  follow: (links, token) => links.confirm(token),
});
