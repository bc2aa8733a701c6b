import type { Answer } from "../exchange.js";

/** A written body, with the headers and the cursor that describe it. */
export interface DescribedBody {
  readonly bytes: Buffer;
  readonly headers: Answer["headers"];
  /** Cursor of the next page of a list, in row formats. */
  readonly nextCursor?: string;
}
