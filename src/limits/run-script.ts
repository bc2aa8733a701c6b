import { createHash } from "node:crypto";
import type { Redis } from "ioredis";

/** The subset of a connection that scripts use. The owner of the connection opens and closes it. */
export type RedisCommands = Pick<Redis, "eval" | "evalsha">;

export type RunScript = (keys: readonly string[], values: readonly (string | number)[]) => Promise<unknown>;

/**
 * Returns a function that runs a script by its digest. If Redis does not have the script, for example after a restart,
 * the function sends the text of the script.
 */
export function script(redis: RedisCommands, text: string): RunScript {
  const digest = createHash("sha1").update(text).digest("hex");
  return async (keys, values) => {
    try {
      return await redis.evalsha(digest, keys.length, ...keys, ...values);
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith("NOSCRIPT"))) throw error;
      return redis.eval(text, keys.length, ...keys, ...values);
    }
  };
}
