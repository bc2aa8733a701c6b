/** A call of the OpenAPI document; see calls.mjs for the members. */
export interface DocumentedCall {
  readonly name: string;
  readonly service: string;
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly contentTypes: readonly string[];
  readonly kind: "read" | "write" | "form" | "stream" | "text";
}

export function callsIn(document: object): readonly DocumentedCall[];
