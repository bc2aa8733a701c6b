import { describe, expect, test } from "vitest";
import { answerOf, failed, fresh, miss, notRequested, queryOf } from "../../../../test/support/operations.js";
import { failureOf, firstRequest, readBody } from "../../../../test/support/reading.js";
import { youtubeOembed } from "../sources/youtube-oembed.js";
import { getVideoLiveStreamInfo } from "./get-video-live-stream-info.js";

const ID = "pO5L6vXtxsI";
const nothing = { channelExists: false, channelName: "", hlsUrl: "", isLive: false, title: "" };
const plan = (search: string) => getVideoLiveStreamInfo.fetches?.video.plan(queryOf(getVideoLiveStreamInfo, search));

test.each([
  ["a video", `video_id=${ID}`, fresh({ title: "T", channelName: "C" }), { title: "T", channelName: "C", error: "" }],
  ["an unknown or private video", `video_id=${ID}`, miss, { error: "video_not_found" }],
  ["an unreachable host", `video_id=${ID}`, failed(), { error: "lookup_failed" }],
  ["a channel alone", "channel=news", notRequested, { error: "channel_live_detection_retired" }],
  ["a channel with a video id", `channel=news&video_id=${ID}`, fresh({ title: "T", channelName: "C" }), { error: "" }],
  ["neither a channel nor a video id", "", notRequested, { error: "video_id_required" }],
])("%s: the answer has the title and the channel, or an error code", (_, search, video, expected) => {
  const videoId = search.includes("video_id") ? ID : "";
  const channelExists = expected.error === "" ? { channelExists: true, title: "T", channelName: "C" } : {};
  expect(answerOf(getVideoLiveStreamInfo, search, { video })).toEqual({
    ...nothing,
    videoId,
    ...channelExists,
    ...expected,
  });
});

test("only a query with a video id makes a request", () => {
  expect([plan("channel=news"), plan(""), plan(`video_id=${ID}`)]).toEqual([undefined, undefined, ID]);
});

test.each(["pO5L6vXtxs", "pO5L6vXtxsI1", "pO5L6vXtxs!", "../../../etc"])("the id %s is refused", (id) => {
  expect(() => queryOf(getVideoLiveStreamInfo, `video_id=${encodeURIComponent(id)}`)).toThrow();
});

describe("the embed metadata", () => {
  const request = firstRequest(youtubeOembed, ID);

  test("the embed metadata is requested by the video's address", () => {
    expect(new URL(request.url).searchParams.get("url")).toBe(`https://www.youtube.com/watch?v=${ID}`);
  });

  test("the embed metadata has the title and the channel", () => {
    const body = { title: "A – B", author_name: "C", type: "video", html: "<iframe></iframe>" };
    expect(readBody(youtubeOembed, request, body).records).toEqual([{ title: "A – B", channelName: "C" }]);
  });

  test.each([
    ["plain text", "Forbidden"],
    ["another document", { error: "x" }],
    ["a list", []],
    ["a title that is not a string", { title: 1, author_name: "C" }],
  ])("%s is reported as a changed document", (_, body) => {
    expect(failureOf(() => readBody(youtubeOembed, request, body)).kind).toBe("changed");
  });
});
