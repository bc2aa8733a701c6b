import { Type } from "typebox";
import { operation } from "../../../contract/operation.js";
import { deprecated, text } from "../../../contract/query-field.js";
import { textLike } from "../../../contract/value-fields.js";
import { HOUR_MS, SECOND_MS } from "../../../kit/clock.js";
import { youtubeOembed } from "../sources/youtube-oembed.js";

/** Title and channel of a video. Source: the public embed metadata of its host. */
export const getVideoLiveStreamInfo = operation({
  rpc: "get-video-live-stream-info",
  summary: "Title and channel name of a video by its id",
  description:
    "From the public embed metadata of the video's host, reused for a minute. `error`: `video_id_required`, `channel_live_detection_retired` (a channel without a video id), `video_not_found`, or `lookup_failed` (the host could not be reached).",
  cache: "fast",
  reads: {},
  fetches: {
    video: {
      name: "video title",
      source: youtubeOembed,
      ttlMs: 60 * SECOND_MS,
      missTtlMs: 30 * SECOND_MS,
      timeLimitMs: 6 * SECOND_MS,
      staleWhileErrorMs: HOUR_MS,
      errorTtlMs: 5 * SECOND_MS,
      plan: ({ videoId }: { readonly videoId: string }) => videoId || undefined,
    },
  },
  query: {
    channel: deprecated(text("Not supported without a video id")),
    videoId: textLike("The video's id", "^[A-Za-z0-9_-]{11}$"),
  },
  response: Type.Object(
    {
      channelExists: Type.Boolean({ description: "True if the video was found, which means that its channel exists" }),
      channelName: Type.String({ description: "Empty when unknown" }),
      error: Type.String({ description: "Empty when the video was found" }),
      hlsUrl: Type.String({ deprecated: true, description: "Always empty" }),
      isLive: Type.Boolean({ deprecated: true, description: "Always false" }),
      title: Type.String({ description: "Empty when unknown" }),
      videoId: Type.String({ description: "The requested id; empty if absent" }),
    },
    { title: "GetVideoLiveStreamInfoResponse" },
  ),
  examples: [{ video_id: "VigilDemo-1" }, { channel: "news" }, { video_id: "VigilDemo-1", jmespath: "title" }],
  run({ channel, videoId }, _snapshots, { observations: { video } }) {
    const unknown = { channelExists: false, channelName: "", hlsUrl: "", isLive: false, title: "", videoId };
    if (videoId === "") {
      return { ...unknown, error: channel === "" ? "video_id_required" : "channel_live_detection_retired" };
    }
    if (video.state === "error") return { ...unknown, error: "lookup_failed" };
    const [metadata] = "data" in video ? video.data : [];
    if (!metadata) return { ...unknown, error: "video_not_found" };
    return { ...unknown, ...metadata, channelExists: true, error: "" };
  },
});
