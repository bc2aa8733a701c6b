import {
  rewriteMiddle,
  type SimulatedAnswer,
  type SimulatedRequest,
  simulatedUpstream,
} from "../../../simulator/upstream.js";

/**
 * A video host's embed metadata. The answer is JSON for a video that may be embedded; otherwise it is plain text with
 * the status 400, 403 or 404.
 */
export const upstream = simulatedUpstream({
  name: "youtube-oembed",
  routes: [
    {
      host: "www.youtube.com",
      path: "/oembed",
      handle: answerEmbed,
      variants: {
        changed: (json) => json.replace('"title":', '"headline":'),
        empty: (json) => json.replace(/.*/s, "{}"),
        badRow: (json) => rewriteMiddle(json, /"author_name":"[^"]*"/g, () => '"author_name":null'),
      },
    },
  ],
});

function answerEmbed({ url }: SimulatedRequest): SimulatedAnswer {
  const id = /[?&]v=([A-Za-z0-9_-]{11})$/.exec(url.searchParams.get("url") ?? "")?.[1];
  const refused = (status: number, body: string): SimulatedAnswer => ({ status, contentType: "text/plain", body });
  if (id === undefined) return refused(400, "Bad Request");
  // A real host has private and deleted videos. Here, the beginning of the id marks such a video.
  if (id.startsWith("private")) return refused(403, "Forbidden");
  if (id.startsWith("unknown")) return refused(404, "Not Found");
  const player = `<iframe width="200" height="113" src="https://www.youtube.com/embed/${id}?feature=oembed"></iframe>`;
  const body = {
    title: `Simulated video ${id}`,
    author_name: "Simulated channel",
    author_url: "https://www.youtube.com/@simulated",
    type: "video",
    height: 113,
    width: 200,
    version: "1.0",
    provider_name: "YouTube",
    provider_url: "https://www.youtube.com/",
    html: player,
  };
  // Angle brackets are escaped, because the real host escapes them.
  const escaped = JSON.stringify(body).replace(/[<>]/g, (sign) => (sign === "<" ? "\\u003c" : "\\u003e"));
  return { status: 200, contentType: "application/json", body: escaped };
}
