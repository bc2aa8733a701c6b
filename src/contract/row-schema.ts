import type { TSchema } from "typebox";
import type { AnyOperation } from "./operation.js";
import type { AnyRowList } from "./row-list.js";

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  /** Schemas of the members of a map, whose names are not fixed. */
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

/**
 * Returns the schema of the rows of a list, without the member that `explain=true` adds. Throws if the response has no
 * such list.
 */
export function rowSchemaOf({ rpc, response }: AnyOperation, list: AnyRowList): TSchema {
  const { properties = {} } = response as Schema;
  const rows = "groups" in list ? groupIn(properties[list.groups])?.properties?.[list.rows] : properties[list.rows];
  if (rows?.items?.properties === undefined) throw new Error(`the response of ${rpc} has no rows in ${list.rows}`);
  const { explain: _, ...members } = rows.items.properties;
  return { ...rows.items, properties: members } as TSchema;
}

function groupIn(groups: Schema | undefined): Schema | undefined {
  return Object.values(groups?.patternProperties ?? {})[0];
}
