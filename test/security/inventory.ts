import { expect } from "vitest";
import { documentPrograms, documentTopics } from "../../src/http/documents/document-list.js";
import { startStack } from "../support/stack.js";
import type { Risk } from "./attack.js";
import { CPI } from "./house.js";

/** Paths that scanners request, and paths of earlier or planned versions of the contract. */
const guesses = [
  "/.env",
  "/.git/config",
  "/.git/HEAD",
  "/.npmrc",
  "/.aws/credentials",
  "/.DS_Store",
  "/actuator",
  "/actuator/env",
  "/actuator/heapdump",
  "/admin",
  "/api",
  "/api/",
  "/api/admin",
  "/api/bootstrap",
  "/api/cache/purge",
  "/api/debug",
  "/api/graphql",
  "/api/internal",
  "/api/keys",
  "/api/swagger.json",
  "/api/users",
  "/api/v1/users",
  "/api/v2",
  "/api-docs",
  "/backup.zip",
  "/console",
  "/data/vigil.db",
  "/debug/pprof",
  "/debug/vars",
  "/docs/decisions/0001-stored-records-by-part",
  "/docs/openapi.json",
  "/graphql",
  "/graphiql",
  "/health/env",
  "/login",
  "/node_modules/pino/package.json",
  "/openapi.yaml",
  "/owner.key",
  "/package.json",
  "/phpinfo.php",
  "/robots.txt.bak",
  "/server-status",
  "/src/app/serve.ts",
  "/swagger",
  "/swagger.json",
  "/swagger-ui.html",
  "/test",
  "/trace",
  "/v2",
  "/vigil.config.json",
  "/vigil.db",
  "/wp-login.php",
  "/_faults",
  ...["v0", "v2", "v10", "V1", "v1.1", "latest"].map((version) => CPI.replace("/v1/", `/${version}/`)),
  CPI.toUpperCase(),
  `${CPI}/details`,
  `${CPI}.json`,
  CPI.replace("get-", ""),
];

export const inventory: Risk = {
  id: "API9",
  title: "Improper inventory management",
  attacks: [
    {
      name: "paths that are not documented answer 404",
      attack: "Look for forgotten, internal and older paths, as scanners do",
      defence: "All paths are in one table, made from the declarations; no other path answers",
      async run({ send, attacker, owner }) {
        for (const target of guesses) {
          for (const headers of [attacker.by, owner]) {
            const { status } = await send(target, { headers });
            expect([target, status]).toEqual([target, 404]);
          }
        }
      },
    },
    {
      name: "every served path is in the OpenAPI document, or is a page of the documents or a file of the console",
      attack: "Find a path that is served but not documented",
      defence: "The documents are derived from the same declarations as the paths, and the test compares both",
      async run({ stack, send }) {
        const { paths } = JSON.parse((await send("/openapi.json")).body);
        const pages = documentTopics().flatMap(({ documents }) => documents.map(({ path }) => path));
        const documented = new Set([
          ...Object.keys(paths),
          ...pages.flatMap((path) => [path, `${path}.md`]),
          "/docs/guide.md",
          ...documentPrograms().map((file) => `/docs/${file}`),
        ]);
        const isConsole = (path: string): boolean => /^\/(?:assets\/[\w.-]+|icon\.svg|[a-z-]+)$/.test(path);
        const served = stack.paths.filter((path) => !isConsole(path));
        expect(served.length).toBeGreaterThan(100);
        expect(served.filter((path) => !documented.has(path))).toEqual([]);
        expect([...documented].filter((path) => !stack.paths.includes(path))).toEqual([]);
      },
    },
    {
      name: "a group that is switched off answers 404 and is in no document",
      attack: "Call the operations of a group that the operator switched off",
      defence: "The paths of a group that is switched off are not in the table of paths",
      async run() {
        const stack = await startStack({ datasets: [], env: { VIGIL_COMPANY_MONITORING: "off" } });
        try {
          const { paths } = JSON.parse(String((await stack.get("/openapi.json")).body));
          const list = "/api/company-monitoring/v1/list-monitored-companies";
          expect((await stack.get(list)).status).toBe(404);
          expect(Object.keys(paths)).not.toContain(list);
        } finally {
          await stack.close();
        }
      },
    },
  ],
};
