import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { ServiceCases } from "../../../src/contract/testing/service-cases.js";

export const servicesFolder = resolve(import.meta.dirname, "../../../src/services");

/** The test cases of every service folder; undefined for a folder without cases. */
export async function loadCases(): Promise<Readonly<Record<string, ServiceCases | undefined>>> {
  const folders = readdirSync(servicesFolder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return Object.fromEntries(await Promise.all(folders.map(async ({ name }) => [name, await casesOf(name)] as const)));
}

async function casesOf(service: string): Promise<ServiceCases | undefined> {
  const file = join(servicesFolder, service, "testing/cases.ts");
  if (!existsSync(file)) return undefined;
  const { cases }: { readonly cases: ServiceCases } = await import(pathToFileURL(file).href);
  return cases;
}
