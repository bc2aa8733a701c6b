import { fnv1a, mixed, ratioOf } from "../../../simulator/models/hash.js";
import {
  rewriteMiddle,
  type SimulatedAnswer,
  type SimulatedRequest,
  simulatedUpstream,
} from "../../../simulator/upstream.js";

/**
 * Simulates an OpenAI-style endpoint. Its model writes claims about the evidence in its prompt. About 40 % of them are
 * invented: these claims state another number, or a place that the evidence does not mention. `VIGIL_MODEL_URL` is
 * `<simulator>/model.simulated.example/v1`.
 */
export const upstream = simulatedUpstream({
  name: "chat-model",
  routes: [
    {
      host: "model.simulated.example",
      path: "/v1/chat/completions",
      methods: ["POST"],
      handle: complete,
      variants: {
        changed: (json) => json.replace('"choices"', '"outputs"'),
        empty: (json) => json.replace(/"content":"(?:[^"\\]|\\.)*"/, '"content":"{\\"claims\\":[]}"'),
        badRow: (json) => rewriteMiddle(json, /\\"cites\\":\[[^\]]*\]/g, () => '\\"cites\\":\\"all of it\\"'),
      },
    },
  ],
});

const INVENTED_RATIO = 0.4;
const elsewhere = ["Reykjavik", "Montevideo", "Wellington", "Ulaanbaatar"];

function complete({ body, seed, clock }: SimulatedRequest): SimulatedAnswer {
  const question = parsed(body);
  const messages = Array.isArray(question["messages"]) ? (question["messages"] as readonly unknown[]) : [];
  if (messages.length === 0)
    return answer(400, { error: { message: "messages must be a list", type: "invalid_request_error" } });
  const content = JSON.stringify({ claims: claimsAbout(evidenceIn(messages.map(contentOf).join("\n")), seed) });
  const id = `chatcmpl-simulated-${mixed(fnv1a(body), seed)}`;
  return answer(200, {
    id,
    object: "chat.completion",
    created: Math.floor(clock.now() / 1_000),
    model: "simulated-writer/1",
    choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
    usage: { prompt_tokens: Math.ceil(body.length / 4), completion_tokens: Math.ceil(content.length / 4) },
  });
}

function answer(status: number, value: unknown): SimulatedAnswer {
  return { status, contentType: "application/json", body: JSON.stringify(value) };
}

interface Evidence {
  readonly id: string;
  readonly kind: string;
  readonly fact: string;
}

function claimsAbout(evidence: readonly Evidence[], seed: number) {
  return evidence.slice(0, 12).map(({ id, kind, fact }, index) => {
    const isInvented = ratioOf(mixed(fnv1a(fact), seed)) < INVENTED_RATIO;
    const section = kind === "headline" ? "situation" : index % 2 === 0 ? "risks" : "watch";
    return { section, text: isInvented ? invented(fact, index) : fact, cites: [id] };
  });
}

/** Changes the first number of a fact, or adds a place to a fact without a number. */
function invented(fact: string, index: number): string {
  if (/\d/.test(fact)) return fact.replace(/\d+/, (digits) => String(Number(digits) + 7));
  return `${fact.replace(/[.\s]+$/, "")}, and in ${elsewhere[index % elsewhere.length]} as well.`;
}

/** Reads the evidence in a text: the member `evidence` of the first line that is a JSON object with this member. */
function evidenceIn(text: string): readonly Evidence[] {
  for (const line of text.split("\n")) {
    const listed = parsed(line)["evidence"];
    if (Array.isArray(listed)) return listed.filter(isEvidence);
  }
  return [];
}

function isEvidence(value: unknown): value is Evidence {
  const item = value as Partial<Evidence> | null;
  return typeof item?.id === "string" && typeof item.kind === "string" && typeof item.fact === "string";
}

function contentOf(message: unknown): string {
  const content = (message as { readonly content?: unknown } | null)?.content;
  return typeof content === "string" ? content : "";
}

function parsed(json: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}
