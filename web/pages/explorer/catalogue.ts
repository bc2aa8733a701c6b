import { type Member, membersOf, type Schema } from "./body.js";

/** A parameter of a call, as declared in the service's OpenAPI document. */
export interface Parameter {
  readonly name: string;
  readonly description: string;
  readonly isRequired: boolean;
  /** The allowed values; empty if the document does not list them. */
  readonly choices: readonly string[];
}

/** A call of the service. */
export interface Operation {
  readonly name: string;
  readonly service: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly isWrite: boolean;
  readonly parameters: readonly Parameter[];
  /** The members of the request body; none for a read. */
  readonly members: readonly Member[];
  /** The plan tier that the call needs, if any. */
  readonly tier: number | undefined;
}

interface DocumentedParameter {
  readonly $ref?: string;
  readonly name?: string;
  readonly in?: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
}

interface Documented {
  readonly operationId: string;
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly parameters?: readonly DocumentedParameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: Schema }>> };
  readonly "x-required-tier"?: number;
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, { readonly get?: Documented; readonly post?: Documented }>>;
  readonly components: {
    readonly parameters?: Readonly<Record<string, DocumentedParameter>>;
    readonly schemas?: Readonly<Record<string, Schema>>;
  };
}

/** The calls in the OpenAPI document whose paths begin with `/api/`, sorted by tag and then by name. */
export function operationsOf({ paths, components }: OpenApi): readonly Operation[] {
  const resolved = (parameter: DocumentedParameter): DocumentedParameter =>
    parameter.$ref === undefined ? parameter : (components.parameters?.[parameter.$ref.split("/").at(-1) ?? ""] ?? {});
  const schemaOf = (reference: string): Schema => components.schemas?.[reference.split("/").at(-1) ?? ""] ?? {};
  const operations = Object.entries(paths).flatMap(([path, { get, post }]) => {
    const documented = get ?? post;
    if (!documented || !path.startsWith("/api/")) return [];
    const parameters = (documented.parameters ?? []).map(resolved).filter((parameter) => parameter.in === "query");
    return [
      {
        name: documented.operationId,
        service: documented.tags?.[0] ?? "",
        path,
        summary: documented.summary ?? "",
        description: documented.description ?? "",
        isWrite: get === undefined,
        parameters: parameters.map(parameterOf),
        members: get ? [] : membersOf(bodySchemaOf(documented), schemaOf),
        tier: documented["x-required-tier"],
      },
    ];
  });
  return operations.sort((a, b) => a.service.localeCompare(b.service) || a.name.localeCompare(b.name));
}

function bodySchemaOf({ requestBody }: Documented): Schema {
  return Object.values(requestBody?.content ?? {})[0]?.schema ?? {};
}

function parameterOf({ name = "", description = "", required = false, schema = {} }: DocumentedParameter): Parameter {
  const listed = schema.enum ?? schema.items?.enum ?? (schema.type === "boolean" ? ["true", "false"] : []);
  return { name, description, isRequired: required, choices: listed.map(String) };
}

/** Parses the parameters of a call in the page's URL: a JSON object. Text that is not a JSON object yields none. */
export function paramsIn(text: string): Readonly<Record<string, string>> {
  try {
    const parsed: unknown = JSON.parse(text || "{}");
    if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) return {};
    return Object.fromEntries(
      Object.entries(parsed).map(([name, value]) => [
        snakeCase(name),
        Array.isArray(value) ? value.join(",") : String(value),
      ]),
    );
  } catch {
    return {};
  }
}

/**
 * Turns `pageSize` into `page_size`. Links from other pages of the console name parameters as the SDK does, in camel
 * case; query parameters are in snake case.
 */
const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
