import type { Answer } from "../exchange.js";

/** The reference page and its script, served from memory with no other address in them. */
export interface ReferencePage {
  page(): Promise<Answer>;
  script(): Promise<Answer>;
}

/** Where the page's script is. */
export const REFERENCE_SCRIPT_PATH = "/docs/js/scalar.js";

/** Loaded by the first reader: the script alone is megabytes that the API itself never needs. */
export function referencePage(): ReferencePage {
  let loading: Promise<{ readonly page: Answer; readonly script: Answer }> | undefined;
  const loaded = () => {
    loading ??= load();
    return loading;
  };
  return {
    page: async () => (await loaded()).page,
    script: async () => (await loaded()).script,
  };
}

async function load(): Promise<{ readonly page: Answer; readonly script: Answer }> {
  const [{ default: Fastify }, { default: reference }] = await Promise.all([
    import("fastify"),
    import("@scalar/fastify-api-reference"),
  ]);
  const app = Fastify();
  await app.register(reference, {
    routePrefix: "/docs",
    configuration: {
      url: "/openapi.json",
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      showDeveloperTools: "never",
      agent: { disabled: true },
      mcp: { disabled: true },
    },
  });
  const read = async (url: string, contentType: string): Promise<Answer> => {
    const { statusCode, rawPayload } = await app.inject({ url });
    if (statusCode !== 200) throw new Error(`the reference page has no ${url}`);
    return { status: 200, headers: { "Content-Type": contentType, "Cache-Control": "no-cache" }, body: rawPayload };
  };
  const page = await read("/docs/", "text/html; charset=utf-8");
  const script = await read(REFERENCE_SCRIPT_PATH, "text/javascript; charset=utf-8");
  await app.close();
  return { page: { ...page, body: fromOurFolder(String(page.body)) }, script };
}

/** The page asks for its script relative to itself, and `/docs` has no trailing slash. */
function fromOurFolder(html: string): string {
  return html.replace("<head>", '<head><base href="/docs/">');
}
