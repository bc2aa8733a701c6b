// docs/licences.md: the licences of the packages in package-lock.json that are part of an installation or of the
// console.
import { table } from "./markdown.mjs";

/** Returns the packages of an installation without development packages, sorted by name. */
export function shippedPackages({ packages }) {
  return Object.entries(packages)
    .filter(([path, { dev }]) => path !== "" && !dev)
    .map(([path, { version, license, optional, devOptional }]) => ({
      name: path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length),
      version,
      licence: license,
      isForBuilding: Boolean(optional || devOptional),
    }))
    .sort((a, b) => a.name.localeCompare(b.name, "en") || a.version.localeCompare(b.version, "en"));
}

export function licencesPage(lock) {
  const packages = shippedPackages(lock);
  const rows = (isForBuilding) =>
    packages
      .filter((shippedPackage) => shippedPackage.isForBuilding === isForBuilding)
      .map(({ name, version, licence }) => [name, version, licence]);
  const header = ["package", "version", "licence"];
  return `# Licences

The packages that an installation has, from \`package-lock.json\`. \`test/licences.test.ts\` fails for a package without a
permissive licence, except lightningcss (MPL-2.0), a build tool whose code is not shipped. The texts of bundled code are
in \`dist/licences.txt\` and \`dist/web/licences.md\`. \`npm run sbom\` writes a CycloneDX file of the same packages, with
their hashes. [Sources](sources.md) lists the licences of the data.

## At run time

${table(header, rows(false))}

## To build

The bundler, and the packages whose code is bundled into the console and the API reference. Only a build needs them:
\`--omit=optional\` leaves them out when a packed release is installed.

${table(header, rows(true))}
`;
}
