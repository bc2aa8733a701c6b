import { createHash } from "node:crypto";
import { createContext, runInContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { call, type Stack, startStack } from "./support/stack.js";

// playwright-core is not a dependency: the page's script runs here on the few browser objects that it uses.

let stack: Stack;
let page: string;
let headers: Readonly<Record<string, string>>;
beforeAll(async () => {
  stack = await startStack();
  const answer = await stack.get("/sign-in", {});
  expect(answer.status).toBe(200);
  page = String(answer.body);
  headers = answer.headers;
}, 60_000);
afterAll(() => stack.close());

const textsOf = (html: string, element: "script" | "style"): string[] =>
  [...html.matchAll(new RegExp(`<${element}[^>]*>([\\s\\S]*?)</${element}>`, "g"))].map(([, text = ""]) => text);

const scriptsOf = (html: string): string[] => textsOf(html, "script");
const hashOf = (text = ""): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

function policyOf(header = ""): Readonly<Record<string, string>> {
  return Object.fromEntries(
    header.split(";").map((directive) => {
      const [name = "", ...values] = directive.trim().split(" ");
      return [name, values.join(" ")];
    }),
  );
}

describe("the sign-in page", () => {
  test("is HTML that is not stored or framed and sends no referrer", () => {
    expect(headers).toMatchObject({
      "Content-Type": "text/html; charset=utf-8",
      "Cache-Control": "no-store",
      "Referrer-Policy": "no-referrer",
      "X-Content-Type-Options": "nosniff",
      "X-Frame-Options": "DENY",
    });
    expect(policyOf(headers["Content-Security-Policy"])).toMatchObject({ "frame-ancestors": "'none'" });
  });

  test("allows only its one script and its one style sheet", () => {
    const [scripts, styles] = [scriptsOf(page), textsOf(page, "style")];
    expect([scripts.length, styles.length]).toEqual([1, 1]);
    expect(policyOf(headers["Content-Security-Policy"])).toEqual({
      "default-src": "'none'",
      "script-src": hashOf(scripts[0]),
      "style-src": hashOf(styles[0]),
      "connect-src": "'self'",
      "base-uri": "'none'",
      "form-action": "'none'",
      "frame-ancestors": "'none'",
    });
  });

  test("loads nothing from elsewhere", () => {
    expect(page).not.toMatch(/\b(?:src|srcset|action)\s*=/);
    expect(page).not.toMatch(/\bon[a-z]+\s*=\s*"/);
    expect(page).not.toMatch(/https?:|\/\/[a-z]/);
    expect([...page.matchAll(/href="([^"]*)"/g)].map(([, target]) => target)).toEqual(["/", "/docs"]);
  });

  test("is the same for every caller and repeats nothing that was sent", async () => {
    const key = { "x-service-key": stack.service.access.ownerKey.key ?? "" };
    const link = await stack.service.access.signInLink();
    for (const [target, sent] of [
      ["/sign-in", key],
      [`/sign-in?link=${link}&key=<script>`, { cookie: "vigil_session=vgs_any" }],
    ] as const) {
      expect(String((await stack.get(target, sent)).body)).toBe(page);
    }
  });

  test("contains no secret and hides typed keys", () => {
    expect(page).not.toMatch(/vg[ls]_/);
    expect(page).toContain('<input name="key" type="password" autocomplete="off"');
  });

  test("accepts only GET and HEAD", async () => {
    expect((await call(stack.answer, "HEAD", "/sign-in")).status).toBe(200);
    const posted = await call(stack.answer, "POST", "/sign-in");
    expect([posted.status, posted.headers["Allow"]]).toEqual([405, "GET, HEAD, OPTIONS"]);
  });
});

type Listener = (event: object) => void;

/** An element with the members that the page's script uses. */
function element() {
  const listeners: Record<string, Listener> = {};
  return {
    hidden: true,
    textContent: "",
    addEventListener: (name: string, listener: Listener) => {
      listeners[name] = listener;
    },
    dispatch: (name: string, event: object = {}) => listeners[name]?.(event),
  };
}

/** The page opened at this address, with its calls answered by the service. */
function openPage(hash: string) {
  const elements = { output: element(), "#in": element(), "#out": element(), form: element(), "#leave": element() };
  const jar = { cookie: "" };
  const shown = { address: `/sign-in${hash}` };
  /** The calls of the page, each with the browser's address at that moment. */
  const calls: { readonly path: string; readonly shown: string }[] = [];

  async function fetchAsBrowser(path: string, { method = "GET", headers: own = {}, body = "" } = {}) {
    calls.push({ path, shown: shown.address });
    const lowered = Object.entries(own).map(([name, value]) => [name.toLowerCase(), String(value)]);
    const sent = { ...Object.fromEntries(lowered), "sec-fetch-site": "same-origin", cookie: jar.cookie };
    const answer = await call(stack.answer, method, path, sent, { body, from: "192.0.2.80" });
    const setCookie = answer.headers["Set-Cookie"]?.split(";")[0];
    if (setCookie !== undefined) jar.cookie = setCookie;
    return { ok: answer.status < 300, json: async () => JSON.parse(String(answer.body)) };
  }

  class FormData {
    readonly get: (name: string) => string;
    constructor({ fields }: { readonly fields: Readonly<Record<string, string>> }) {
      this.get = (name) => fields[name] ?? "";
    }
  }

  const context = createContext({
    document: { querySelector: (selector: keyof typeof elements) => elements[selector] },
    location: { hash, pathname: "/sign-in" },
    history: {
      replaceState: (_state: unknown, _title: string, address: string) => {
        shown.address = address;
      },
    },
    fetch: fetchAsBrowser,
    FormData,
  });
  runInContext(scriptsOf(page)[0] ?? "", context);
  return {
    calls,
    elements,
    shown,
    jar,
    enter: (key: string) =>
      elements.form.dispatch("submit", { preventDefault: () => undefined, target: { fields: { key } } }),
    leave: () => elements["#leave"].dispatch("click"),
  };
}

describe("the script of the sign-in page", () => {
  test("shows the form when there is no session", async () => {
    const { elements } = openPage("");
    await vi.waitUntil(() => !elements["#out"].hidden);
    expect(elements["#in"].hidden).toBe(true);
  });

  test("signs in by the link after removing the secret from the address", async () => {
    const link = await stack.service.access.signInLink();
    const { calls, elements, shown } = openPage(`#${link}`);
    await vi.waitUntil(() => !elements["#in"].hidden);
    expect(elements["#out"].hidden).toBe(true);
    expect(elements.output.textContent).toBe("Signed in as Operator (plan enterprise).");
    expect(calls.map(({ path }) => path)).toEqual(["/api/account/v1/sign-in", "/api/account/v1/get-account"]);
    expect(new Set([shown.address, ...calls.map((pageCall) => pageCall.shown)])).toEqual(new Set(["/sign-in"]));
  });

  test("shows why a used link fails, and shows the form", async () => {
    const link = await stack.service.access.signInLink();
    const firstPage = openPage(`#${link}`);
    await vi.waitUntil(() => !firstPage.elements["#in"].hidden);
    const { elements, jar } = openPage(`#${link}`);
    await vi.waitUntil(() => !elements["#out"].hidden);
    expect(elements.output.textContent).toBe("Invalid API key");
    expect(jar.cookie).toBe("");
  });

  test("signs in by key, ignoring spaces around it, and signs out again", async () => {
    const { elements, enter, leave, jar } = openPage("");
    await vi.waitUntil(() => !elements["#out"].hidden);
    enter(` ${stack.service.access.ownerKey.key}\n`);
    await vi.waitUntil(() => !elements["#in"].hidden);
    expect(jar.cookie).toMatch(/^vigil_session=vgs_/);
    leave();
    await vi.waitUntil(() => !elements["#out"].hidden);
    expect(elements.output.textContent).toBe("Signed out.");
    expect(jar.cookie).toBe("vigil_session=");
  });
});
