// Loader hooks with which scripts import TypeScript modules of the tests. They strip types and resolve `.js` to `.ts`.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { transformSync } from "rolldown/utils";

export async function resolve(specifier, context, next) {
  try {
    return await next(specifier, context);
  } catch (error) {
    if (!specifier.startsWith(".") || !specifier.endsWith(".js")) throw error;
    return next(specifier.replace(/\.js$/, ".ts"), context);
  }
}

export async function load(url, context, next) {
  if (!url.endsWith(".ts")) return next(url, context);
  const file = fileURLToPath(url);
  const { code, errors } = transformSync(file, readFileSync(file, "utf8"), { lang: "ts", tsconfig: false });
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
  return { format: "module", source: code, shortCircuit: true };
}
