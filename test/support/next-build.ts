import { cp, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { NEXT_MIGRATION } from "./next-version.js";

const root = resolve(import.meta.dirname, "../..");
/** Matches the code of the built program that declares the newest migration of the store's own tables. */
const NEWEST = /"015-plan-events": \{ up: createPlanEvents \}/;

/** The migration to the next version, as text to insert into the built program. */
const MIGRATION = `,
	"${NEXT_MIGRATION}": { up: async (db) => {
		for (const { name } of await db.introspection.getTables()) {
			await sql\`alter table \${sql.table(name)} add column next_note text\`.execute(db);
			await sql\`alter table \${sql.table(name)} add column next_count integer not null default 0\`.execute(db);
		}
		await sql\`create table next_version (name varchar(80) not null primary key)\`.execute(db);
	} }`;

/** Builds the next version in a folder: this version with one more migration. Returns the path of its `vigil.js`. */
export async function nextBuild(folder: string): Promise<string> {
  const [own, next] = [join(root, "dist"), join(folder, "dist")];
  await mkdir(next, { recursive: true });
  await cp(join(own, "bin"), join(next, "bin"), { recursive: true });
  for (const name of await readdir(own)) if (name !== "bin") await symlink(join(own, name), join(next, name));
  for (const name of ["node_modules", "docs", "package.json", "CHANGELOG.md"]) {
    await symlink(join(root, name), join(folder, name));
  }
  let changed = 0;
  for (const name of await readdir(join(next, "bin"))) {
    if (!name.endsWith(".js")) continue;
    const file = join(next, "bin", name);
    const text = await readFile(file, "utf8");
    const after = text.replace(NEWEST, (newest) => newest + MIGRATION);
    if (after === text) continue;
    changed += 1;
    await writeFile(file, after);
  }
  if (changed === 0) throw new Error(`the built program has no ${NEWEST.source}; set NEWEST to the newest migration`);
  return join(next, "bin", "vigil.js");
}
