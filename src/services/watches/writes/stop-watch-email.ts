import { mailLinkWrite } from "../rules/mail-link-write.js";

export const stopWatchEmail = mailLinkWrite({
  rpc: "stop-watch-email",
  summary: "Stop the emails of a watch to an address",
  description:
    "The target of the link in every email of a watch, also for one-click unsubscription (RFC 8058). The token may be in the query. The link can be used repeatedly, until the watch is deleted or no longer names the address.",
  page: {
    title: "Emails of a watch",
    question: "Stop the emails of this watch to your address.",
    button: "Stop emails",
    done: "You will get no more emails from this watch.",
    refused: "This link is not valid, or the watch no longer exists.",
  },
  member: "stopped",
  responseTitle: "StopWatchEmailResponse",
  follow: (links, token) => links.stop(token),
});
