// The simulator without the header that marks its answers as simulated. Benchmarks and acceptance runs start services
// that are not demos. Such a service refuses an answer that has the header, so it needs this upstream.
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { systemClock } from "../dist/kit/clock.js";
import { feedCatalogue } from "../dist/services/news/catalogue/feed-catalogue.js";
import { publishedFeed } from "../dist/services/news/catalogue/published-feeds.js";
import { startSimulator } from "../dist/simulator/simulator.js";

/** Starts an upstream on loopback: `{ baseUrl, credentials, close }`. */
export async function startPlainUpstream({ port = 0, clock = systemClock } = {}) {
  const newsFeeds = feedCatalogue.map(publishedFeed);
  const simulator = await startSimulator({ clock, seed: 1, newsFeeds });
  const server = createServer(async (request, response) => {
    const head = { method: request.method, headers: forwarded(request.headers) };
    const question = request.method === "POST" ? { ...head, body: await text(request) } : head;
    const answer = await fetch(simulator.baseUrl + request.url, question).catch(() => undefined);
    // The simulator resets some connections on purpose.
    if (answer === undefined) return request.destroy();
    const headers = Object.fromEntries([...answer.headers].filter(([name]) => KEPT.has(name)));
    response.writeHead(answer.status, headers).end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${server.address().port}`,
    credentials: simulator.credentials,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await simulator.close();
    },
  };
}

const KEPT = new Set(["content-type", "etag", "last-modified"]);

function forwarded(headers) {
  const names = ["if-none-match", "if-modified-since", "content-type", "authorization", "x-api-key"];
  return Object.fromEntries(names.flatMap((name) => (headers[name] ? [[name, headers[name]]] : [])));
}
