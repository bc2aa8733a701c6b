// Prints the bill of materials (CycloneDX) of an installation without development packages, from package-lock.json.
// npm's own --omit=dev wrongly leaves out run-time packages that development packages also need (seen with npm 11.19).
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { shippedPackages } from "./docs/licences-page.mjs";

const root = new URL("..", import.meta.url);
const args = ["sbom", "--sbom-format=cyclonedx", "--package-lock-only"];
const { status, stdout, stderr } = spawnSync("npm", args, { cwd: root, encoding: "utf8", maxBuffer: 64_000_000 });
if (status !== 0) throw new Error(stderr);

const all = JSON.parse(stdout);
const lock = JSON.parse(readFileSync(new URL("package-lock.json", root), "utf8"));
const shipped = new Set(shippedPackages(lock).map(({ name, version }) => `${name}@${version}`));
const components = all.components.filter((component) => shipped.has(component["bom-ref"]));
const kept = new Set([all.metadata.component["bom-ref"], ...components.map((component) => component["bom-ref"])]);
const dependencies = all.dependencies
  .filter(({ ref }) => kept.has(ref))
  .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((other) => kept.has(other)) }));
process.stdout.write(`${JSON.stringify({ ...all, components, dependencies }, null, 2)}\n`);
