import type { KeyView } from "../../../../lib/actions/local-client.ts";

/** What a key is worth to those who hold it. */
export type Standing =
  | { readonly kind: "works"; readonly expiresAt: number | undefined }
  /** A successor is there; it goes on until then. */
  | { readonly kind: "replaced"; readonly until: number | undefined; readonly successor: string }
  | { readonly kind: "banned"; readonly until: number }
  | { readonly kind: "expired"; readonly at: number | undefined }
  | { readonly kind: "revoked"; readonly at: number | undefined };

/** How a key stands at `now`: one that ran out or was let go since it was asked for is seen as that. */
export function standingOf(key: KeyView, now: number): Standing {
  const { status, expiresAt, revokedAt, replacedBy, bannedUntil } = key;
  if (status === "revoked") return { kind: "revoked", at: revokedAt };
  if (expiresAt !== undefined && expiresAt <= now) return { kind: "expired", at: expiresAt };
  if (bannedUntil !== undefined && bannedUntil > now) return { kind: "banned", until: bannedUntil };
  if (replacedBy !== undefined)
    return { kind: "replaced", until: expiresAt, successor: replacedBy };
  return { kind: "works", expiresAt };
}

/** True for a key that is refused for good. */
export function hasEnded(standing: Standing): boolean {
  return standing.kind === "expired" || standing.kind === "revoked";
}

const MARKS = { production: "live", staging: "test" } as const;

/** What can be shown of a key: `pet_live_8fJ2kQ0aZx…`. */
export function prefixOf({ environment, id }: Pick<KeyView, "environment" | "id">): string {
  return `pet_${MARKS[environment]}_${id}…`;
}
