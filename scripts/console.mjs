// Builds the console: web/ into dist/web/, with asset names that contain the hash of their content.
import { copyFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The packages that build the console, and the packages that the console includes. */
export const CONSOLE_PACKAGES = ["vite", "preact", "uplot", "d3-geo", "topojson-client", "world-atlas", "csv-parse"];

/** Returns the text of the files from which the console is built, by their path. */
export function consoleSources(root) {
  const names = readdirSync(join(root, "web"), { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name));
  const paths = files.map((entry) =>
    join(entry.parentPath, entry.name)
      .slice(root.length + 1)
      .replaceAll("\\", "/"),
  );
  return new Map(paths.sort().map((path) => [path, readFileSync(join(root, path), "utf8")]));
}

/**
 * Removes `crossorigin` from the tags of scripts and styles. The page's own host serves these files, so they need no
 * CORS requests. Behind a proxy, that host might refuse CORS requests.
 */
const plainTags = {
  name: "plain-tags",
  transformIndexHtml: { order: "post", handler: (html) => html.replaceAll(" crossorigin ", " ") },
};

/** The settings of the bundler. Nothing is inlined, so that the content policy can refuse everything inline. */
function settings(root) {
  return {
    root: join(root, "web"),
    configFile: false,
    logLevel: "warn",
    base: "/",
    plugins: [plainTags],
    oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
    build: {
      outDir: join(root, "dist/web"),
      emptyOutDir: true,
      target: "es2022",
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      license: { fileName: "licences.md" },
    },
  };
}

export async function buildConsole({ build }, root) {
  await build(settings(root));
  // The service reads the paths of the console's pages from this file.
  copyFileSync(join(root, "web/pages.json"), join(root, "dist/web/pages.json"));
}
