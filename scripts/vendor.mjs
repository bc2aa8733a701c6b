// After tsc: puts the dependencies that consist of hundreds of small modules into a few files and points dist/ at them.
// Reading 1,000 files is half of a cold start; docs/decisions/0007 has the figures.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { rolldown } from "rolldown";

const dist = resolve(import.meta.dirname, "../dist");
const vendor = join(dist, "vendor");
const bundled = {
  typebox: "typebox",
  "typebox/value": "typebox-value",
  "typebox/compile": "typebox-compile",
  kysely: "kysely",
};

const versionOf = (name) => {
  const file = resolve(import.meta.dirname, "../node_modules", name, "package.json");
  return JSON.parse(readFileSync(file, "utf8")).version;
};
const stamp = `typebox ${versionOf("typebox")}, kysely ${versionOf("kysely")}\n`;
const stampFile = join(vendor, "versions.txt");

if (!existsSync(stampFile) || readFileSync(stampFile, "utf8") !== stamp) {
  const input = Object.fromEntries(Object.entries(bundled).map(([specifier, file]) => [file, specifier]));
  const bundle = await rolldown({ input, platform: "node", logLevel: "warn" });
  await bundle.write({ dir: vendor, format: "esm", entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js" });
  await bundle.close();
  writeFileSync(stampFile, stamp);
}

for (const file of readdirSync(dist, { recursive: true })) {
  if (!file.endsWith(".js") || file.startsWith("vendor")) continue;
  const path = join(dist, file);
  const code = readFileSync(path, "utf8");
  const pointed = code.replace(
    /(from |import\()"(typebox(?:\/value|\/compile)?|kysely)"/g,
    (_match, before, specifier) => {
      const target = relative(dirname(path), join(vendor, `${bundled[specifier]}.js`));
      return `${before}"${target.startsWith(".") ? target : `./${target}`}"`;
    },
  );
  if (pointed !== code) writeFileSync(path, pointed);
}
