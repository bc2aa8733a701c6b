/*
 * Lets the conformance suite load on Node.js 20, which has no `globSync`. The suite uses `globSync` to rate
 * repositories, not to test a server.
 */
import { register } from "node:module";

const fs = `export * from "node:fs";
import * as own from "node:fs";
export default own.default;
export const globSync = own.globSync ?? (() => { throw new Error("Node.js 20 has no globSync"); });`;
const hook = `export async function resolve(specifier, context, next) {
  const isOfSuite = context.parentURL?.includes("/@modelcontextprotocol/conformance/") ?? false;
  return specifier === "fs" && isOfSuite
    ? { url: ${JSON.stringify(`data:text/javascript,${encodeURIComponent(fs)}`)}, shortCircuit: true }
    : next(specifier, context);
}`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
