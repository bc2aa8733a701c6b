import { once } from "node:events";
import type { Writable } from "node:stream";

/** Prints lines at the pace of their reader. */
export interface LineOutput {
  /**
   * Resolves to true when the next line may be printed, or to false if the reader has gone. Throws if the signal aborts
   * first.
   */
  print(line: string, signal: AbortSignal): Promise<boolean>;
  /** Removes the listeners from the stream. */
  release(): void;
}

/**
 * Prints lines to a stream, such as the standard output. It is not an error if the reader, such as `head`, has gone.
 */
export function lineOutput(stream: Writable): LineOutput {
  let error: NodeJS.ErrnoException | undefined;
  const onError = (failed: NodeJS.ErrnoException): void => {
    error = failed;
  };
  stream.on("error", onError);

  function isRead(): boolean {
    if (error !== undefined && error.code !== "EPIPE") throw error;
    return error === undefined && !stream.destroyed;
  }

  return {
    async print(line, signal) {
      if (!isRead()) return false;
      if (!stream.write(`${line}\n`)) {
        // An error of the stream also ends this wait; `isRead` below handles it.
        await once(stream, "drain", { signal }).catch((failed: unknown) => {
          if (signal.aborted) throw failed;
        });
      }
      return isRead();
    },
    release: () => void stream.off("error", onError),
  };
}
