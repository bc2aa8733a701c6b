/** The scopes that a key can carry. `account:write` makes and revokes keys of the own account. */
export const scopes = ["read", "account:write", "company_monitoring:read", "company_monitoring:write"] as const;
export type Scope = (typeof scopes)[number];

export const everyScope: ReadonlySet<Scope> = new Set(scopes);

export function isScope(text: string): text is Scope {
  return (scopes as readonly string[]).includes(text);
}

/** Scopes as they are stored. */
export function scopeText(carried: ReadonlySet<Scope>): string {
  return scopes.every((scope) => carried.has(scope)) ? "*" : [...carried].join(" ");
}

/** Stored scopes; what later versions may have added is passed over. */
export function scopesOf(text: string): ReadonlySet<Scope> {
  return text === "*" ? everyScope : new Set(text.split(" ").filter(isScope));
}
