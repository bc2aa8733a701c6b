// Runs the simulated upstreams in a separate process, and reports their address to the parent.
import { systemClock } from "../dist/kit/clock.js";
import { feedCatalogue } from "../dist/services/news/catalogue/feed-catalogue.js";
import { publishedFeed } from "../dist/services/news/catalogue/published-feeds.js";
import { startSimulator } from "../dist/simulator/simulator.js";

const newsFeeds = feedCatalogue.map(publishedFeed);
const { baseUrl, credentials } = await startSimulator({ clock: systemClock, seed: 1, newsFeeds });
process.send({ baseUrl, credentials });
