/*
 * openapi-typescript needs a programming interface that TypeScript 7 lacks. This module gives it an older TypeScript,
 * which is a dependency of the package checker `@arethetypeswrong/core`. Installing a second version directly would
 * mean two `tsc` commands.
 */
import { createRequire, register } from "node:module";
import { pathToFileURL } from "node:url";

const checker = createRequire(import.meta.url).resolve("@arethetypeswrong/core/package.json");
const compiler = pathToFileURL(createRequire(checker).resolve("typescript")).href;
const hook = `export async function resolve(specifier, context, next) {
  return specifier === "typescript" ? { url: ${JSON.stringify(compiler)}, shortCircuit: true } : next(specifier, context);
}`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
