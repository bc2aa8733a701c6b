import { Type } from "typebox";
import { type QueryField, quoted, single } from "../../../contract/query-field.js";
import { type IdKind, idPattern } from "./ids.js";

/** Declares a parameter that must be an id of this kind. */
export function requiredId(kind: IdKind, description: string): QueryField<string> {
  const pattern = idPattern(kind);
  const shape = new RegExp(pattern);
  return {
    schema: Type.String({ pattern }),
    description,
    required: true,
    decode: single("", (text) =>
      shape.test(text) ? { value: text } : { violation: `must match ${pattern}, got ${quoted(text)}` },
    ),
    canonical: (value) => value,
  };
}
