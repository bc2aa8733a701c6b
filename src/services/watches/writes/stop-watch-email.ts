import { mailLinkWrite } from "../rules/mail-link-write.js";

export const stopWatchEmail = mailLinkWrite({
  rpc: "stop-watch-email",
  summary: "Stop mails of a watch to an address",
  description:
    "The link in every mail of a watch, also for one-click unsubscription (RFC 8058). The token may be in the query. It does not expire, and can be repeated.",
  page: {
    title: "Mails of a watch",
    question: "Stop the mails of this watch to your address.",
    button: "Stop mails",
    done: "You get no more mails of this watch.",
    refused: "This link is not valid, or the watch no longer exists.",
  },
  member: "stopped",
  responseTitle: "StopWatchEmailResponse",
  follow: (links, token) => links.stop(token),
});
