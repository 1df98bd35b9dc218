/** A key that a member's device or password manager holds, as we know it. */
export interface Passkey {
  /** 10 characters of base 62: ours, for addresses. */
  readonly id: string;
  readonly memberId: string;
  /** What the authenticator calls it: base64url. */
  readonly credentialId: string;
  /** COSE, base64url. */
  readonly publicKey: string;
  /** How often it was used, as it says itself; those that many devices share say 0 for ever. */
  readonly counter: number;
  /** How browsers may reach it: `internal`, `usb`, `hybrid` … */
  readonly transports: readonly string[];
  readonly name: string;
  readonly createdAt: number;
  readonly lastUsedAt?: number;
}

/** Of one member. */
export const MAX_PASSKEYS = 20;
