import { sentences } from "./text.mjs";

const REF = "#/components/schemas/";

/**
 * The TypeScript type of a JSON Schema. `used` collects the named schemas that it refers to. Optional members of a
 * request also accept `undefined`, so that callers can pass a value that may be undefined.
 */
export function typeText(schema, { used, isRequest = false, indent = "" } = {}) {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.slice(REF.length);
    used?.add(name);
    return name;
  }
  const nested = { used, isRequest, indent };
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives !== undefined) return alternatives.map((alternative) => typeText(alternative, nested)).join(" | ");
  if (Array.isArray(schema.type)) {
    return schema.type.map((type) => typeText({ ...schema, type }, nested)).join(" | ");
  }
  return typeByName(schema, nested);
}

function typeByName(schema, options) {
  switch (schema.type) {
    case "string":
    case "boolean":
    case "null":
      return schema.type;
    case "integer":
    case "number":
      return "number";
    case "array":
      return `readonly ${elementText(schema.items ?? {}, options)}[]`;
    case "object":
      return objectText(schema, options);
    case undefined:
      return "unknown";
    default:
      throw new Error(`no type for ${JSON.stringify(schema)}`);
  }
}

function elementText(items, options) {
  const text = typeText(items, options);
  return /^[\w]+$/.test(text) || text.startsWith("{") ? text : `(${text})`;
}

function objectText(schema, options) {
  const { properties, patternProperties, required = [] } = schema;
  if (properties === undefined) {
    const [values] = Object.values(patternProperties ?? {});
    return `Readonly<Record<string, ${values === undefined ? "unknown" : typeText(values, options)}>>`;
  }
  const indent = `${options.indent}  `;
  const members = Object.entries(properties).map(([name, member]) => {
    const isRequired = required.includes(name);
    const type = typeText(member, { ...options, indent });
    const about = member.description === undefined ? "" : `${indent}/** ${sentences(member.description)} */\n`;
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
    const absent = !isRequired && options.isRequest ? " | undefined" : "";
    return `${about}${indent}readonly ${key}${isRequired ? "" : "?"}: ${type}${absent};\n`;
  });
  return `{\n${members.join("")}${options.indent}}`;
}

/**
 * The types of the named schemas that these roots refer to, directly or through other schemas, in alphabetical order.
 */
export function schemaTypes(openapi, roots) {
  const { schemas } = openapi.components;
  const names = new Set();
  const requests = new Set();
  const pending = roots.map(({ schema, isRequest }) => ({ schema, isRequest }));
  while (pending.length > 0) {
    const { schema, isRequest } = pending.pop();
    const used = new Set();
    typeText(schema, { used });
    for (const name of used) {
      const isNew = !names.has(name) || (isRequest && !requests.has(name));
      names.add(name);
      if (isRequest) requests.add(name);
      if (isNew) pending.push({ schema: schemas[name], isRequest });
    }
  }
  return [...names]
    .sort()
    .map((name) => `\n${schemaText(name, schemas[name], requests.has(name))}`)
    .join("");
}

function schemaText(name, schema, isRequest) {
  const about = schema.description === undefined ? "" : `/** ${sentences(schema.description)} */\n`;
  const text = typeText(schema, { isRequest });
  return schema.type === "object" && schema.properties !== undefined
    ? `${about}export interface ${name} ${text}\n`
    : `${about}export type ${name} = ${text};\n`;
}
