import { randomUUID } from "node:crypto";
import type { Redis } from "ioredis";
import type { RedisWatch } from "../limits/redis-watch.js";
import { type Announcement, type Announcements, readAnnouncement } from "./announcements.js";
import { waitingConnection } from "./open-redis.js";

export interface RedisAnnouncementParts {
  /** The connection for commands. A second connection listens, because a listening connection cannot run commands. */
  readonly redis: Redis;
  readonly watch: RedisWatch;
  /** The channel that all processes of one store share. */
  readonly channel: string;
}

/** Maximum length of an announcement, in characters. A longer message was not sent by Vigil, and is ignored. */
const CHARACTERS_MAX = 1_024;

/**
 * Announces through a Redis channel. While Redis is down, nothing is announced, and processes find changes by polling.
 */
export function redisAnnouncements({ redis, watch, channel }: RedisAnnouncementParts): Announcements {
  const sender = randomUUID();
  const listening = waitingConnection(redis);
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

/**
 * Parses an announcement from a message of another process. Returns undefined for this process's own messages and for
 * messages that are not announcements.
 */
function announcementIn(message: string, sender: string): Announcement | undefined {
  if (message.length > CHARACTERS_MAX) return undefined;
  try {
    const { sender: from, announcement } = Object(JSON.parse(message));
    return from === sender ? undefined : readAnnouncement(announcement);
  } catch {
    return undefined; // Not JSON.
  }
}
