import type { Answer } from "../exchange.js";

/** A serialised body, with the headers that describe it and the cursor of the next page. */
export interface DescribedBody {
  readonly bytes: Buffer;
  readonly headers: Answer["headers"];
  /** Cursor of the next page of a list; set only for row formats. */
  readonly nextCursor?: string;
}
