import { SaxesParser } from "saxes";

/** An object of a bucket. */
export interface StoredObject {
  readonly key: string;
  readonly bytes: number;
  /** Epoch ms. */
  readonly storedAt: number;
}

export interface ObjectPage {
  readonly objects: readonly StoredObject[];
  /** Undefined on the last page. */
  readonly next: string | undefined;
}

/** Reads a page of ListObjectsV2 whose keys are URL-encoded. Throws for any other text. */
export function readObjectPage(text: string): ObjectPage {
  const objects: StoredObject[] = [];
  let next: string | undefined;
  let root: string | undefined;
  let fields: Record<string, string> | undefined;
  let value = "";
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name }) => {
    root ??= name;
    value = "";
    if (name === "Contents") fields = {};
  });
  parser.on("text", (piece) => {
    value += piece;
  });
  parser.on("closetag", ({ name }) => {
    if (name === "NextContinuationToken") next = value;
    if (name === "Contents" && fields) {
      const { Key = "", Size = "", LastModified = "" } = fields;
      objects.push({
        key: decodeURIComponent(Key.replaceAll("+", " ")),
        bytes: Number(Size),
        storedAt: Date.parse(LastModified),
      });
      fields = undefined;
    } else if (fields) {
      fields[name] = value;
    }
    value = "";
  });
  parser.write(text).close();
  if (root !== "ListBucketResult") throw new Error("the answer is not a list of objects");
  return { objects, next };
}
