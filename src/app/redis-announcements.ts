import { randomUUID } from "node:crypto";
import type { Redis } from "ioredis";
import type { RedisWatch } from "../limits/redis-watch.js";
import { type Announcement, type Announcements, readAnnouncement } from "./announcements.js";

export interface RedisAnnouncementParts {
  /** The connection for commands. Listening opens a second one, which can do nothing else. */
  readonly redis: Redis;
  readonly watch: RedisWatch;
  /** The channel of all processes of one store. */
  readonly channel: string;
}

/** A subscription waits for Redis as long as it takes. */
const unlimited = { commandTimeout: undefined } as const;
/** Largest announcement, characters. A longer message is not one of ours. */
const CHARACTERS_MAX = 1_024;

/** Announces through a channel of Redis. While Redis is lost nothing is announced, and polling finds the changes. */
export function redisAnnouncements({ redis, watch, channel }: RedisAnnouncementParts): Announcements {
  const sender = randomUUID();
  const listening = redis.duplicate({ enableOfflineQueue: true, maxRetriesPerRequest: null, ...unlimited });
  // The watch of the first connection reports that Redis is lost.
  listening.on("error", () => undefined);
  return {
    announce(announcement) {
      const message = JSON.stringify({ sender, announcement });
      void watch.used(() => redis.publish(channel, message)).catch(() => undefined);
    },
    listen(listener) {
      listening.on("message", (_channel: string, message: string) => {
        const announcement = announcementIn(message, sender);
        if (announcement) listener(announcement);
      });
      void listening.subscribe(channel).catch(() => undefined);
    },
    async close() {
      listening.disconnect();
    },
  };
}

/** The announcement in a message of another process; undefined for our own messages and those of strangers. */
function announcementIn(message: string, sender: string): Announcement | undefined {
  if (message.length > CHARACTERS_MAX) return undefined;
  try {
    const { sender: from, announcement } = Object(JSON.parse(message));
    return from === sender ? undefined : readAnnouncement(announcement);
  } catch {
    return undefined; // Not JSON.
  }
}
