/*
 * Gives openapi-typescript a TypeScript with the programming interface that version 7 lacks. The package checker
 * depends on an older TypeScript that has this interface. Installing a second version directly would mean two `tsc`
 * commands.
 */
import { createRequire, register } from "node:module";
import { pathToFileURL } from "node:url";

const checker = createRequire(import.meta.url).resolve("@arethetypeswrong/core/package.json");
const compiler = pathToFileURL(createRequire(checker).resolve("typescript")).href;
const hook = `export async function resolve(specifier, context, next) {
  return specifier === "typescript" ? { url: ${JSON.stringify(compiler)}, shortCircuit: true } : next(specifier, context);
}`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
