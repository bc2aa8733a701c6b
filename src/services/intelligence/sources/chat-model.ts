import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { header, optional } from "../../../contract/auth.js";
import { SourceFailure, source, step } from "../../../contract/source.js";
import type { Claim } from "../rules/grounding/grounding.js";
import { claimsIn } from "../rules/model-answer.js";
import type { Prompt } from "../rules/prompt.js";
import { isSection } from "../rules/sections.js";

/** A request to a model: the endpoint, the model and the prompt. */
export interface ModelQuestion {
  readonly url: string;
  readonly model: string;
  readonly kind: "chat" | "reasoning";
  readonly prompt: Prompt;
  readonly tokensMax: number;
  readonly timeoutMs: number;
}

/** An unchecked claim of a model, with the model's name as the endpoint reports it. */
export interface ModelClaim extends Claim {
  readonly model: string;
}

const isClaim = Compile(
  Type.Object({
    section: Type.String(),
    text: Type.String(),
    cites: Type.Array(Type.Union([Type.String(), Type.Integer()]), { maxItems: 40 }),
  }),
);

const TEMPERATURE = 0.4;
const ANSWER_BYTES_MAX = 256 * 1024;
const MODEL_CHARACTERS_MAX = 120;

/** A chat completion from the operator's endpoint. This source only parses it; `rules/grounding/` checks its claims. */
export const chatModel = source({
  id: "chat-model",
  title: "The model that writes country briefs",
  home: "https://platform.openai.com/docs/api-reference/chat",
  seen: "described",
  licence: { name: "As agreed with the provider of the model", open: true },
  auth: optional(
    header(
      "Authorization",
      {
        variable: "VIGIL_MODEL_KEY",
        description: "Key of the endpoint at VIGIL_MODEL_URL; most local endpoints need no key",
      },
      "Bearer",
    ),
  ),
  steps: {
    brief: step({
      request({ url, model, kind, prompt, tokensMax, timeoutMs }: ModelQuestion) {
        const body = {
          model,
          stream: false,
          ...(kind === "chat"
            ? { temperature: TEMPERATURE, max_tokens: tokensMax }
            : { max_completion_tokens: tokensMax }),
          messages: [
            { role: "system", content: prompt.system },
            { role: "user", content: prompt.user },
          ],
        };
        return {
          key: "brief",
          url: /\/chat\/completions$/.test(url) ? url : `${url}/chat/completions`,
          isOperatorsOwn: true,
          body: JSON.stringify(body),
          timeoutMs,
          bytesMax: ANSWER_BYTES_MAX,
        };
      },
      format: { kind: "json" },
      // Invalid claims are kept, so that they are counted. They get no citations, so they are withheld later.
      row: Type.Unknown(),
      *rows(document) {
        const { content, model } = answerOf(document);
        const claims = claimsIn(content);
        if (claims === undefined) throw changed("the model's text contains no JSON object with claims");
        for (const claim of claims) yield { claim, model };
      },
      record(row): ModelClaim {
        // The cast is safe, because `rows` yields this type.
        const { claim, model } = row as { readonly claim: unknown; readonly model: string };
        if (!isClaim.Check(claim)) return { section: "watch", text: "", cites: [], model };
        const name = claim.section.toLowerCase();
        const cites = [...new Set(claim.cites.map(idOf))];
        return isSection(name)
          ? { section: name, text: withoutMarks(claim.text), cites, model }
          : { section: "watch", text: claim.text, cites: [], model };
      },
    }),
  },
  observedAt: () => undefined,
});

function changed(sentence: string): SourceFailure {
  return new SourceFailure("changed", sentence);
}

/** Returns the text of the first choice, and the model's name. */
function answerOf(document: unknown): { readonly content: string; readonly model: string } {
  const answer = document as {
    readonly model?: unknown;
    readonly choices?: readonly { readonly message?: { readonly content?: unknown } }[];
  } | null;
  const content = Array.isArray(answer?.choices) ? answer.choices[0]?.message?.content : undefined;
  if (typeof content !== "string") throw changed("the endpoint answered without choices[0].message.content");
  const model = typeof answer?.model === "string" ? answer.model.replace(/[^\x21-\x7e]+/g, " ").trim() : "";
  return { content, model: model.slice(0, MODEL_CHARACTERS_MAX) };
}

/** Returns the id of a citation: "E3", "[e3]" and 3 all cite the third item. */
function idOf(cite: string | number): string {
  const digits = /^\W*e?(\d{1,4})\W*$/i.exec(String(cite))?.[1];
  return digits === undefined ? String(cite) : `E${Number(digits)}`;
}

/**
 * Removes citation marks at the end of a claim's text. Models often write marks although `cites` has the citations, and
 * the brief adds marks of its own.
 */
function withoutMarks(text: string): string {
  const written = text.trim();
  const hasStop = written.endsWith(".");
  const marked = hasStop ? written.slice(0, -1) : written;
  const plain = marked.slice(0, endWithoutMarks(marked));
  return plain === marked ? written : `${plain}${hasStop ? "." : ""}`.trim();
}

/** Maximum length of a citation mark. Even a mark that lists all items is shorter. */
const MARK_CHARACTERS_MAX = 200;
const MARK = /^[[(]E?\d{1,3}(?:, ?E?\d{1,3})*[\])]$/;

/** Finds the end of the last word before trailing citation marks. */
function endWithoutMarks(text: string): number {
  let end = text.length;
  for (;;) {
    const near = text.slice(Math.max(0, end - MARK_CHARACTERS_MAX), end);
    const start = Math.max(near.lastIndexOf("["), near.lastIndexOf("("));
    if (start === -1 || !MARK.test(near.slice(start))) return end;
    end -= near.length - start;
    while (end > 0 && /\s/.test(text.charAt(end - 1))) end -= 1;
  }
}
