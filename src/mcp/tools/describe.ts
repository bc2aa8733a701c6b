import type { TSchema } from "typebox";
import { suggestion } from "../../kit/nearest.js";
import type { Entry, ReadEntry, WriteEntry } from "../catalogue.js";
import { delivered, LARGER_BUDGET } from "../delivered.js";
import { argumentsOf, budgetMembers, callMembers, ToolFailure, tool } from "../tool.js";
import { typeText } from "../type-text.js";
import { staticHead } from "./find.js";

export const describe = tool({
  name: "describe",
  description:
    "Describes an operation: its parameters and their values, its answer with units, its examples, the required rights and, for a POST, the body.",
  input: argumentsOf({ name: callMembers.operation, ...budgetMembers }),
  isReadOnly: true,
  run({ name, ...budget }, { catalogue }) {
    const entry = catalogue.find(name);
    if (!entry) {
      const names = catalogue.entries.map((candidate) => candidate.name);
      throw new ToolFailure(
        `there is no operation ${name.slice(0, 80)}${suggestion(name, names) || "; use the tool find"}`,
      );
    }
    const text = JSON.stringify(entry.kind === "read" ? aboutRead(entry) : aboutWrite(entry));
    return delivered(
      { question: `describe ${name}`, head: staticHead("describe"), text, advice: LARGER_BUDGET },
      budget,
    );
  },
});

function about({ name, path, summary, description, kind, declaration }: Entry): object {
  const access = "access" in declaration ? declaration.access : { scope: "read" };
  return {
    name,
    method: kind === "read" ? "GET" : "POST",
    path,
    summary,
    description,
    needs: access === "operator" ? "the operator's key" : `scope ${(access as { readonly scope: string }).scope}`,
    ...("tier" in declaration && declaration.tier === 1 && { plan: "Pro" }),
  };
}

function aboutRead(entry: ReadEntry): object {
  const { fields, frame, declaration, bytes } = entry;
  const params = [...fields].map(([name, { schema, required, description }]) => ({
    name,
    ...(required && { required }),
    ...valuesOf(schema),
    description,
  }));
  return {
    ...about(entry),
    params,
    alsoParams: frame,
    examples: declaration.examples,
    ...(bytes !== undefined && { bytes }),
    answer: typeText(declaration.response),
  };
}

function aboutWrite(entry: WriteEntry): object {
  const { request, example, response, repeats } = entry.declaration;
  return {
    ...about(entry),
    body: typeText(request),
    example,
    idempotent: repeats === "replayed",
    answer: typeText(response),
  };
}

/** Returns a parameter's schema, without its default if the default is empty, false or 0. */
function valuesOf(schema: TSchema): object {
  const { default: fallback, ...values } = JSON.parse(JSON.stringify(schema)) as Readonly<Record<string, unknown>>;
  const isEmpty =
    fallback === "" || fallback === false || fallback === 0 || (Array.isArray(fallback) && fallback.length === 0);
  return { ...values, ...(!isEmpty && fallback !== undefined && { default: fallback }) };
}
