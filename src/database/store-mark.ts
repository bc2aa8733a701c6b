import { OperatorError } from "../kit/operator-error.js";
import type { OpenDatabase } from "./open-database.js";

/** The kind of data in a store, fixed at its creation. */
export type StoreKind = "real" | "demo";

/** Marks a new store. Throws if the store was created for the other kind of data. */
export async function claimStore({ db }: OpenDatabase, kind: StoreKind): Promise<void> {
  await db
    .insertInto("store_mark")
    .values({ name: "kind", value: kind })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
  const { value } = await db
    .selectFrom("store_mark")
    .select("value")
    .where("name", "=", "kind")
    .executeTakeFirstOrThrow();
  if (value !== kind) throw new StoreKindMismatch(value, kind);
}

/** Thrown for a store with the other kind of data, because simulated and real data never share a store. */
export class StoreKindMismatch extends OperatorError {
  override readonly name = "StoreKindMismatch";

  constructor(actual: string, expected: StoreKind) {
    super(
      actual === "demo"
        ? `This store holds simulated data (made by "vigil demo"); real data never goes into it. Set VIGIL_DATA_DIR (or DATABASE_URL) to another place, or start the service with "npm run demo".`
        : `This store holds real data; "vigil demo" never writes simulated data into it (found ${actual}, wanted ${expected}). Set VIGIL_DATA_DIR (or DATABASE_URL) to another place, or start the service with "npm start".`,
    );
  }
}

/** Thrown for a store with the other kind of data than a command with the option `--demo` was started for. */
export class OtherStoreKind extends OperatorError {
  override readonly name = "OtherStoreKind";

  constructor(actual: string, store: string) {
    const remedy =
      actual === "demo"
        ? "holds simulated data; add --demo to work on it"
        : "holds real data; leave out --demo to work on it";
    super(`${store} ${remedy}, or set VIGIL_DATA_DIR (or DATABASE_URL) to another place`);
  }
}
