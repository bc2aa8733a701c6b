import { serviceGroup } from "../../contract/service-group.js";
import { publishedFeeds } from "./catalogue/published-feeds.js";
import { explainStory } from "./commands/explain-story.js";

export const news = serviceGroup({
  name: "News",
  position: 28,
  description: "News digests by variant and language, clustered and scored.",
  explains: [explainStory],
  feedCatalogue: publishedFeeds,
});
