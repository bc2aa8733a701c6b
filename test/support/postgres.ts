import { randomBytes } from "node:crypto";
import { Client } from "pg";

const SERVER = process.env["DATABASE_URL"] ?? "postgres://postgres@127.0.0.1:5432/test";

/** Why no PostgreSQL can be used here, or undefined. */
export async function postgresSkipReason(): Promise<string | undefined> {
  const client = new Client({ connectionString: SERVER, connectionTimeoutMillis: 3_000 });
  try {
    await client.connect();
    return undefined;
  } catch (error) {
    return `no PostgreSQL answers at ${new URL(SERVER).host} (${(error as Error).message})`;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** A schema of its own on the server, so that test files running side by side never meet; `dispose` drops it. */
export async function postgresSchema(): Promise<{ readonly url: string; dispose(): Promise<void> }> {
  const schema = `vigil_test_${randomBytes(6).toString("hex")}`;
  await run(`create schema ${schema}`);
  const url = new URL(SERVER);
  url.searchParams.set("options", `-c search_path=${schema}`);
  return { url: url.href.replaceAll("+", "%20"), dispose: () => run(`drop schema ${schema} cascade`) };
}

async function run(statement: string): Promise<void> {
  const client = new Client({ connectionString: SERVER });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
