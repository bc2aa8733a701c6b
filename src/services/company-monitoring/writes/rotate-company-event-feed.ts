import { Type } from "typebox";
import { write } from "../../../contract/write.js";
import { impactFeedLink } from "../ports.js";

export const rotateCompanyEventFeed = write({
  rpc: "rotate-company-event-feed",
  summary: "Give the feed of impacts a new link",
  description:
    "Returns a new link to the feed of the account and revokes the previous one. Anyone with the new link can read the feed without a key.",
  access: { scope: "company_monitoring:write" },
  repeats: "ignored",
  isTransaction: true,
  uses: { link: impactFeedLink },
  request: Type.Object({}, { title: "RotateCompanyEventFeedRequest" }),
  example: {},
  response: Type.Object(
    { feedPath: Type.String({ description: "Path and query of the feed; add `&format=jsonfeed` for JSON Feed" }) },
    { title: "RotateCompanyEventFeedResponse" },
  ),
  async run(_input, { ports }) {
    return { body: { feedPath: await ports.link.replace() } };
  },
});
