import type { AnyOperation, RegisteredOperation } from "../operation.js";

type Json = Readonly<Record<string, unknown>>;

/** The parameters of every operation; those that several operations declare alike are components. */
export interface SharedParameters {
  of(operation: AnyOperation): readonly Json[];
  readonly components: Json;
}

export function sharedParameters(
  operations: readonly RegisteredOperation[],
  parametersOf: (operation: AnyOperation) => readonly Json[],
): SharedParameters {
  const all = operations.flatMap(({ operation }) => parametersOf(operation));
  const counts = new Map<string, number>();
  for (const parameter of all) {
    const text = JSON.stringify(parameter);
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  const components: Record<string, Json> = {};
  const names = new Map<string, string>();
  for (const parameter of all) {
    const text = JSON.stringify(parameter);
    if ((counts.get(text) ?? 0) < 2 || names.has(text)) continue;
    const name = unusedName(components, String(parameter["name"]));
    components[name] = parameter;
    names.set(text, name);
  }
  return {
    components,
    of: (operation) =>
      parametersOf(operation).map((parameter) => {
        const name = names.get(JSON.stringify(parameter));
        return name === undefined ? parameter : { $ref: `#/components/parameters/${name}` };
      }),
  };
}

function unusedName(components: Json, name: string): string {
  let unused = name;
  for (let count = 2; unused in components; count += 1) unused = `${name}-${count}`;
  return unused;
}
