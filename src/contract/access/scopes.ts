/**
 * The scopes that a key can have. `account:write` permits creating and revoking keys of the key's own account, and
 * ending the account's sessions. A key of the operator's account with this scope has the rights of the operator.
 */
export const scopes = [
  "read",
  "account:write",
  "company_monitoring:read",
  "company_monitoring:write",
  "webhooks:read",
  "webhooks:write",
  "watches:read",
  "watches:write",
] as const;
export type Scope = (typeof scopes)[number];

export const everyScope: ReadonlySet<Scope> = new Set(scopes);

export function isScope(text: string): text is Scope {
  return (scopes as readonly string[]).includes(text);
}

/** Converts a set of scopes to its stored form. */
export function scopeText(carried: ReadonlySet<Scope>): string {
  return scopes.every((scope) => carried.has(scope)) ? "*" : [...carried].join(" ");
}

/** Parses stored scopes; ignores unknown ones, which later versions may have added. */
export function scopesOf(text: string): ReadonlySet<Scope> {
  return text === "*" ? everyScope : new Set(text.split(" ").filter(isScope));
}
