import { call, json, type Stack } from "../stack.js";

/** Replaces the sample ids and secrets in a document's code with those of existing objects. */
export type Samples = (code: string) => Promise<string>;

/** Maximum number of sample endpoints. An account may have 20 endpoints, and the examples create some as well. */
const ENDPOINTS_MAX = 12;
const COMPANIES = "/api/company-monitoring/v1";

type Json = Readonly<Record<string, unknown>>;

/** The member at a path, such as `watch.watchId`. */
function memberAt(value: unknown, path: string): string {
  return String(path.split(".").reduce<unknown>((part, name) => (part as Json)[name], value));
}

/** Replaces samples with objects of a service: a new object for each use, so that an example may delete its object. */
export function samplesOf(stack: Stack): Samples {
  let count = 0;
  const endpoints: string[] = [];
  const ownerKey = stack.service.access.ownerKey.key ?? "";

  async function posted(path: string, body: Json): Promise<unknown> {
    const headers = { "x-service-key": ownerKey, "content-type": "application/json" };
    const answer = await call(stack.answer, "POST", path, headers, { body: JSON.stringify(body) });
    if (answer.status >= 300) throw new Error(`${path} of a sample: ${answer.status} ${String(answer.body)}`);
    return json(answer);
  }

  const account = async (code: string): Promise<string> => {
    count += 1;
    const id = `acc_sample_${count}`;
    if (!/create.?account/i.test(code))
      await posted("/api/account/v1/create-account", { name: `Sample ${count}`, plan: "business", id });
    return id;
  };
  const key = (): Promise<unknown> => posted("/api/account/v1/create-key", { name: "sample", scopes: ["read"] });
  const session = async (): Promise<string> => {
    await posted("/api/account/v1/sign-in", { key: ownerKey });
    return memberAt(json(await stack.get("/api/account/v1/list-sessions")), "sessions.0.id");
  };
  const watch = { call: "/api/seismology/v1/list-earthquakes", on: "WATCH_ON_NEW_ROWS" };
  const company = { domicileCountry: "DOMICILE_COUNTRY_US" };

  /** For each sample in an example, the function that makes its replacement. */
  const makers: readonly (readonly [RegExp, (code: string) => Promise<string>])[] = [
    [
      /wch_0[0-9A-Z]{25}/g,
      async () => memberAt(await posted("/api/watches/v1/create-watch", { name: "Sample", ...watch }), "watch.watchId"),
    ],
    [
      /whe_0[0-9A-Z]{25}/g,
      async () => {
        await removeEndpoints();
        const body = { url: "https://example.com/sample", events: ["watch.fired"] };
        const id = memberAt(await posted("/api/webhooks/v1/create-webhook-endpoint", body), "endpoint.endpointId");
        endpoints.push(id);
        return id;
      },
    ],
    [
      /cm_company_0[0-9A-Z]{25}/g,
      async () => {
        count += 1;
        const body = { clientRequestId: `sample-${count}`, company: { name: `Sample Works ${count}`, ...company } };
        return memberAt(await posted(`${COMPANIES}/create-monitored-company`, body), "company.companyId");
      },
    ],
    [/ses_0{24}/g, session],
    [/key_1\b/g, async () => memberAt(await key(), "card.id")],
    [/\bacc_desk\b/g, account],
    [
      /cmc1\.A+\.A+/g,
      async () => memberAt(json(await stack.get(`${COMPANIES}/list-company-event-impacts`)), "snapshot.pollCursor"),
    ],
    [/vgl_…/g, async () => memberAt(await key(), "key")],
  ];

  /** Makes room for more endpoints: removes all endpoints except the newest `ENDPOINTS_MAX` samples. */
  async function removeEndpoints(): Promise<void> {
    const listed = json(await stack.get("/api/webhooks/v1/list-webhook-endpoints")) as {
      readonly endpoints: readonly Json[];
    };
    const kept = new Set(endpoints.slice(-ENDPOINTS_MAX));
    for (const { endpointId } of listed.endpoints.filter(({ endpointId }) => !kept.has(String(endpointId)))) {
      await posted("/api/webhooks/v1/delete-webhook-endpoint", { endpointId });
    }
  }

  return async (code) => {
    let replaced = code;
    for (const [sample, make] of makers) {
      if (replaced.search(sample) === -1) continue;
      const own = await make(code);
      replaced = replaced.replaceAll(sample, own);
    }
    return replaced;
  };
}
