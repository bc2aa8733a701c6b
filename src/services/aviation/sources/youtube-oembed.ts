import { Type } from "typebox";
import { SourceFailure, source, step } from "../../../contract/source.js";

/** Title and channel of a video. */
export interface VideoTitle {
  readonly title: string;
  readonly channelName: string;
}

const absentStatuses: ReadonlySet<number> = new Set([400, 401, 403, 404]);

/** Title and channel of a public video, from YouTube's embed metadata. */
export const youtubeOembed = source({
  id: "youtube-oembed",
  title: "YouTube, embed metadata",
  home: "https://oembed.com/",
  seen: "recorded",
  licence: { name: "YouTube terms of service", url: "https://www.youtube.com/t/terms", open: false },
  steps: {
    video: step({
      request: (videoId: string) => ({
        key: "video",
        url: `https://www.youtube.com/oembed?url=${encodeURIComponent(`https://www.youtube.com/watch?v=${videoId}`)}&format=json`,
        timeoutMs: 5_000,
        bytesMax: 1_000_000,
      }),
      // YouTube answers 400 or 404 for unknown ids, and 401 or 403 for private and unembeddable videos. The body of
      // these answers is plain text.
      instead: ({ status }) => (status !== undefined && absentStatuses.has(status) ? [] : undefined),
      rowsMin: 0,
      format: { kind: "json" },
      row: Type.Object({ title: Type.String(), author_name: Type.String() }),
      *rows(document) {
        if (typeof document !== "object" || document === null || !("title" in document)) {
          throw new SourceFailure("changed", "expected an object with title");
        }
        yield document;
      },
      record: ({ title, author_name }): VideoTitle => ({ title, channelName: author_name }),
    }),
  },
  observedAt: () => undefined,
});
