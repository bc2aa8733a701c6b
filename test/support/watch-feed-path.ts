import type { Watch } from "../../src/services/watches/served-watch.js";
import { json, type Stack } from "./stack.js";

/** Reads the link to the feed of a watch. Answers of writes lack it. */
export async function watchFeedPath(
  stack: Stack,
  watchId: string,
  headers?: Readonly<Record<string, string>>,
): Promise<string> {
  const answer = await stack.get(`/api/watches/v1/get-watch?watch_id=${watchId}`, headers);
  return (json(answer) as { readonly watch: Watch }).watch.feedPath;
}
