type Json = Readonly<Record<string, unknown>>;

/** The parameters of all paths; those that several paths declare identically become components. */
export interface SharedParameters {
  /** The parameters of one path, each written out or as a reference to a component. */
  of(parameters: readonly Json[]): readonly Json[];
  readonly components: Json;
}

/** `others` are the document's other parameter components, whose names are already taken. */
export function sharedParameters(parametersByPath: readonly (readonly Json[])[], others: Json): SharedParameters {
  const all = parametersByPath.flat();
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
    const name = unusedName({ ...others, ...components }, String(parameter["name"]));
    components[name] = parameter;
    names.set(text, name);
  }
  return {
    components,
    of: (parameters) =>
      parameters.map((parameter) => {
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
