/** Returns a function that calls `load` once and keeps its result. If `load` fails, the next call tries again. */
export function keptResult<T>(load: () => Promise<T>): () => Promise<T> {
  let kept: Promise<T> | undefined;
  return () => {
    kept ??= load().catch((error: unknown) => {
      kept = undefined;
      throw error;
    });
    return kept;
  };
}
