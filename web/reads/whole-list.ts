import type { Answer } from "../../src/sdk/index.js";
import { listIn, nextCursorIn } from "../../src/sdk/pages.js";
import type { AnyParams } from "../../src/sdk/params.js";

const PAGES_MAX = 10;

/**
 * Reads up to ten pages of a list, and returns them as one answer with the rows of all pages in `member`. If there are
 * more pages, the cursor of the answer is not empty.
 */
export async function wholeList(
  member: string,
  readPage: (cursor: AnyParams) => Promise<Answer<unknown>>,
): Promise<Answer<unknown>> {
  let rows: readonly unknown[] = [];
  let cursor: AnyParams = {};
  for (let page = 1; ; page += 1) {
    const answer = await readPage(cursor);
    rows = [...rows, ...listIn(answer.data, member)];
    const next = nextCursorIn(answer.data);
    if (next === "" || page === PAGES_MAX) return { ...answer, data: { ...(answer.data as object), [member]: rows } };
    cursor = { cursor: next };
  }
}
