/** The permissions of an API key. */
export const scopes = [
  "pets:read",
  "pets:write",
  "pets:admin",
  "categories:read",
  "categories:write",
  "orders:read",
] as const;

/** A permission of an API key. */
export type Scope = (typeof scopes)[number];

/** The scopes of a new key: all except `pets:admin`. Every documented operation works with them. */
export const defaultScopes: readonly Scope[] = scopes.filter((scope) => scope !== "pets:admin");

export function isScope(text: string): text is Scope {
  return (scopes as readonly string[]).includes(text);
}
