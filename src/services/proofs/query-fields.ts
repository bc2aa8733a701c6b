import { Type } from "typebox";
import { int32, NAME_CHARACTERS_MAX, type QueryField, text } from "../../contract/query-field.js";

/** The name of a dataset. */
export const dataset: QueryField<string> = {
  ...text("Name of the dataset, as in `/api/datasets`"),
  schema: Type.String({ minLength: 1, maxLength: NAME_CHARACTERS_MAX }),
  required: true,
};

/** Declares a required number of at least 1. */
export function positive(description: string): QueryField<number> {
  const whole = int32(description);
  return {
    schema: Type.Integer({ format: "int32", minimum: 1 }),
    description,
    required: true,
    decode(values, now) {
      const decoded = whole.decode(values, now);
      return "value" in decoded && decoded.value === 0 ? { violation: "must be at least 1, got 0" } : decoded;
    },
    canonical: String,
  };
}

/** A tree size; 0 or no value means the newest size. */
export const size = (description: string): QueryField<number> =>
  int32(`${description}; 0 or none means the newest size`);
