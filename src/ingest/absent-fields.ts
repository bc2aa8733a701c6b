import type { TSchema } from "typebox";

/** An optional field of a row, named by the path to it, as in `geometry.coordinates`. */
export type FieldPath = string;

/** Limits on the fields that are counted for one source. */
const FIELDS_MAX = 40;
const DEPTH_MAX = 3;

/** For each optional field of the row's schema, counts the rows of one answer that lack the field. */
export interface AbsentFields {
  count(row: unknown): void;
  /** For every optional field, the number of rows that lack the field. */
  readonly rowsWithout: Readonly<Record<FieldPath, number>>;
}

export function absentFields(schema: TSchema): AbsentFields {
  const fields = optionalFields(schema);
  const rowsWithout: Record<FieldPath, number> = Object.fromEntries(fields.map((field) => [field, 0]));
  const paths = fields.map((field) => [field, field.split(".")] as const);
  return {
    count(row) {
      for (const [field, path] of paths) if (isAbsent(row, path)) rowsWithout[field] = (rowsWithout[field] ?? 0) + 1;
    },
    rowsWithout,
  };
}

const fieldsBySchema = new WeakMap<TSchema, readonly FieldPath[]>();

/** Returns the optional and nullable fields of a row's schema, at most `FIELDS_MAX`. */
export function optionalFields(schema: TSchema): readonly FieldPath[] {
  let fields = fieldsBySchema.get(schema);
  if (!fields) {
    fields = fieldsIn(schema, "", DEPTH_MAX).slice(0, FIELDS_MAX);
    fieldsBySchema.set(schema, fields);
  }
  return fields;
}

/** The members of a JSON schema that are used here. */
interface SchemaNode {
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly SchemaNode[];
}

function fieldsIn(schema: SchemaNode, prefix: string, depth: number): readonly FieldPath[] {
  const { properties = {}, required = [] } = schema;
  return Object.entries(properties).flatMap(([name, member]) => {
    const path = `${prefix}${name}`;
    if (!required.includes(name) || isNullable(member)) return [path];
    return depth > 1 ? fieldsIn(member, `${path}.`, depth - 1) : [];
  });
}

function isNullable({ type, anyOf = [] }: SchemaNode): boolean {
  return type === "null" || anyOf.some(isNullable);
}

function isAbsent(row: unknown, path: readonly string[]): boolean {
  let value: unknown = row;
  for (const name of path) {
    if (typeof value !== "object" || value === null) return true;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value === undefined || value === null || value === "";
}
