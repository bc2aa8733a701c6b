import { docstring, isKeyword, literal, pascalCase, sentences } from "./text.mjs";

const REF = "#/components/schemas/";
const SCALARS = { string: "str", boolean: "bool", integer: "int", number: "float", null: "None" };

/**
 * Python types of JSON Schemas. `declare` adds a schema under a name, with the objects inside it; `typeOf` returns the
 * annotation for a schema; `text` returns the source of all declarations, and `names` returns their names.
 */
export function schemaTypes() {
  const aliases = new Map();
  const classes = new Map();

  function declare(name, schema) {
    if (classes.has(name) || aliases.has(name)) throw new Error(`two schemas are named ${name}`);
    if (schema.type !== "object" || schema.properties === undefined) {
      const about = schema.description === undefined ? "" : docstring([sentences(schema.description)], "");
      aliases.set(name, `${name} = ${typeOf(schema, name)}\n${about}`);
      return name;
    }
    // Reserves the position of this class in the text, ahead of the classes of the objects that it contains.
    classes.set(name, "");
    classes.set(name, classText(name, schema));
    return name;
  }

  function typeOf(schema, name) {
    if (schema.$ref !== undefined) return schema.$ref.slice(REF.length);
    if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`;
    if (schema.enum !== undefined) return `Literal[${schema.enum.map(literal).join(", ")}]`;
    const alternatives = schema.anyOf ?? schema.oneOf;
    if (alternatives)
      return `Union[${alternatives.map((each, index) => typeOf(each, `${name}${index || ""}`)).join(", ")}]`;
    if (Array.isArray(schema.type)) return "Any";
    if (schema.type === "array") return `List[${typeOf(schema.items ?? {}, `${name}Item`)}]`;
    if (schema.type === "object") return objectType(schema, name);
    return SCALARS[schema.type] ?? "Any";
  }

  function objectType(schema, name) {
    if (schema.properties !== undefined) return declare(name, schema);
    const [values] = Object.values(schema.patternProperties ?? {});
    return `Dict[str, ${values === undefined ? "Any" : typeOf(values, `${name}Value`)}]`;
  }

  function classText(name, schema) {
    const { properties, required = [], description } = schema;
    const members = Object.entries(properties).map(([member, own]) => ({
      member,
      type: typeOf(own, `${name}${pascalCase(member)}`),
      about: own.description,
      isRequired: required.includes(member),
    }));
    const needed = members.filter(({ isRequired }) => isRequired);
    const optional = members.filter(({ isRequired }) => !isRequired);
    const about = description === undefined ? "" : sentences(description);
    if (optional.length === 0) return typedDict({ name, members: needed, about, total: true });
    if (needed.length === 0) return typedDict({ name, members: optional, about, total: false });
    const base = `_${name}`;
    return `${typedDict({ name: base, members: needed, about: "", total: true })}\n\n${typedDict({ name, base, members: optional, about, total: false })}`;
  }

  return {
    declare,
    typeOf,
    text: () => [...[...aliases.values()].sort(), ...classes.values()].map((text) => `\n\n${text}`).join(""),
    names: () => [...aliases.keys(), ...classes.keys()].sort(),
  };
}

/**
 * Returns the source of a typed dictionary. Before Python 3.11, a typed dictionary could not mark single members as
 * required, so required members are declared in a base class.
 */
function typedDict({ name, base, members, about, total }) {
  const isNamed = members.every(({ member }) => /^[A-Za-z_]\w*$/.test(member) && !isKeyword(member));
  if (!isNamed) {
    const fields = members.map(({ member, type }) => `        ${literal(member)}: ${literal(type)},\n`).join("");
    const own = base === undefined ? name : `${base}Optional`;
    const dictionary = `${own} = TypedDict(\n    ${literal(own)},\n    {\n${fields}    },\n    total=${total ? "True" : "False"},\n)\n`;
    if (base === undefined) return dictionary;
    return `${dictionary}\n\nclass ${name}(${base}, ${own}):\n${docstring([about || `See \`${base}\`.`], "    ")}`;
  }
  const bases = [base ?? "TypedDict", ...(total ? [] : ["total=False"])].join(", ");
  const head = about === "" ? "" : `${docstring([about], "    ")}\n`;
  const fields = members.map(
    ({ member, type, about: text }) =>
      `    ${member}: ${type}\n${text === undefined ? "" : docstring([sentences(text)], "    ")}`,
  );
  return `class ${name}(${bases}):\n${head}${fields.join("") || "    pass\n"}`;
}
