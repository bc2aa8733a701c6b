// The fields of a schema of the OpenAPI document as rows of a table.

/** Maximum depth of nested fields. */
const DEPTH_MAX = 5;

/** Returns the members of a request body. */
export function requestFields(schema, openapi) {
  return fieldsOf(schema, openapi);
}

/**
 * Returns the members of an answer. Leaves out the content of `explain` and `delta`. Parameters that many
 * operations share add these members, and the pages of these parameters describe their content.
 */
export function responseFields(schema, openapi) {
  return fieldsOf(schema, openapi).filter(({ path }) => !/^(?:explain|delta)\./.test(path));
}

function fieldsOf(root, openapi) {
  const rows = [];
  walk(root, "", []);
  return rows;

  function walk(schema, prefix, ancestors) {
    const { properties = {}, required = [] } = resolved(schema);
    for (const [name, member] of Object.entries(properties)) {
      addRow(member, `${prefix}${name}`, { isOptional: !required.includes(name), ancestors });
    }
  }

  function addRow(member, path, { isOptional, ancestors }) {
    const field = resolved(member);
    const item = field.items ? resolved(field.items) : undefined;
    const [values] = Object.values(field.patternProperties ?? {});
    const description = member.description ?? field.description ?? item?.description ?? "";
    rows.push({ path, type: typeText(field), description: description.replaceAll("\n", " "), isOptional });
    const inner = values ?? item ?? field;
    const suffix = values ? ".<key>." : item ? "[]." : ".";
    const target = resolved(inner);
    if (ancestors.includes(target) || ancestors.length >= DEPTH_MAX) return;
    walk(inner, `${path}${suffix}`, [...ancestors, target]);
  }

  function typeText({
    type,
    enum: values,
    const: constant,
    format,
    items,
    anyOf,
    patternProperties,
    minimum,
    maximum,
  }) {
    if (constant !== undefined) return `\`${JSON.stringify(constant)}\``;
    if (values) return values.length > 12 ? "enum" : values.map((value) => `\`${value}\``).join(", ");
    if (anyOf) return [...new Set(anyOf.map((variant) => typeText(resolved(variant))))].join(" or ");
    if (items) return `list of ${typeText(resolved(items)).replace(/^object$/, "objects")}`;
    if (patternProperties) return "dictionary";
    const range = minimum !== undefined && maximum !== undefined ? ` ${minimum} to ${maximum}` : "";
    return `${[type].flat().join(" or ") || "any"}${format ? ` (${format})` : ""}${range}`;
  }

  function resolved(node) {
    if (!node.$ref) return node;
    return node.$ref
      .split("/")
      .slice(1)
      .reduce((at, key) => at[key], openapi);
  }
}
