import type { KeyView } from "../../../../lib/accounts/keys.ts";
import { MAX_NETWORKS, normalNetwork } from "../../../../lib/model/network.ts";

/** What a key's holder can do with it. */
export type KeyStatus =
  | { readonly kind: "active"; readonly expiresAt: number | undefined }
  /** Rotated: it works until the overlap ends. */
  | { readonly kind: "replaced"; readonly until: number | undefined; readonly successor: string }
  | { readonly kind: "banned"; readonly until: number }
  | { readonly kind: "expired"; readonly at: number | undefined }
  | { readonly kind: "revoked"; readonly at: number | undefined };

/** Returns a key's status at `now`: the key may have expired or its ban may have ended since it was loaded. */
export function statusOf(key: KeyView, now: number): KeyStatus {
  const { status, expiresAt, revokedAt, replacedBy, bannedUntil } = key;
  if (status === "revoked") return { kind: "revoked", at: revokedAt };
  if (expiresAt !== undefined && expiresAt <= now) return { kind: "expired", at: expiresAt };
  if (bannedUntil !== undefined && bannedUntil > now) return { kind: "banned", until: bannedUntil };
  if (replacedBy !== undefined)
    return { kind: "replaced", until: expiresAt, successor: replacedBy };
  return { kind: "active", expiresAt };
}

/** True for a key that is refused for good. */
export function hasEnded({ kind }: KeyStatus): boolean {
  return kind === "expired" || kind === "revoked";
}

const MARKS = { production: "live", staging: "test" } as const;

/** The public part of a key: `pet_live_8fJ2kQ0aZx…`. */
export function prefixOf({ environment, id }: Pick<KeyView, "environment" | "id">): string {
  return `pet_${MARKS[environment]}_${id}…`;
}

export interface TypedNetworks {
  readonly networks: readonly string[];
  readonly fault: NetworksFault | undefined;
}

export type NetworksFault =
  | { readonly kind: "invalid"; readonly text: string }
  | { readonly kind: "too_many"; readonly maximum: number };

/** Parses networks separated by new lines, commas, semicolons or spaces. */
export function networksIn(text: string): TypedNetworks {
  const networks = text.split(/[\s,;]+/).filter((part) => part !== "");
  const invalid = networks.find((network) => normalNetwork(network) === undefined);
  if (invalid !== undefined) return { networks, fault: { kind: "invalid", text: invalid } };
  if (networks.length > MAX_NETWORKS) {
    return { networks, fault: { kind: "too_many", maximum: MAX_NETWORKS } };
  }
  return { networks, fault: undefined };
}

/** Lines of a `.env` file: the key and the API's address. */
export function envFile(token: string, address: string): string {
  return `PETSTORE_API_KEY=${token}\nPETSTORE_API_URL=${address}\n`;
}

/** A shell command that lists the animals with a key. */
export function curlLine(token: string, address: string): string {
  return `curl -H 'Authorization: Bearer ${token}' ${address}/pets`;
}
