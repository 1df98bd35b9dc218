/** JSON sent to or by a browser (WebAuthn Level 3, §5.1.8 and §5.1.9). */
export type PasskeyJson = Readonly<Record<string, unknown>>;

/** The host that passkeys are created for. */
export interface RelyingParty {
  /** `pets.example.org` */
  readonly id: string;
  /** `https://pets.example.org` */
  readonly origin: string;
}

/** A newly created passkey. */
export interface CreatedPasskey {
  /** base64url */
  readonly credentialId: string;
  /** COSE, base64url. */
  readonly publicKey: string;
  readonly counter: number;
  readonly transports: readonly string[];
}

/** A browser's response to a challenge. */
export interface PasskeyProof {
  readonly party: RelyingParty;
  readonly response: PasskeyJson;
  /** Returns true if the service issued the challenge (base64url) for this purpose and it has not expired. */
  readonly expects: (challenge: string) => Promise<boolean>;
}

/**
 * The WebAuthn ceremonies. Every adapter must guarantee: the options request a discoverable passkey and prefer user
 * verification. A proof is valid only for its relying party, challenge and key, and only if its counter, unless it is
 * always 0, has increased. Every invalid proof gives undefined.
 */
export interface Passkeys {
  creationOptions(input: {
    readonly party: RelyingParty;
    readonly challenge: Uint8Array;
    readonly member: { readonly id: string; readonly email: string; readonly name: string };
    /** The member's existing passkeys. */
    readonly known: readonly Pick<CreatedPasskey, "credentialId" | "transports">[];
  }): Promise<PasskeyJson>;
  created(proof: PasskeyProof): Promise<CreatedPasskey | undefined>;
  requestOptions(input: {
    readonly party: RelyingParty;
    readonly challenge: Uint8Array;
    /** The passkeys to choose from. Default: any, because a passkey identifies its member. */
    readonly known?: readonly Pick<CreatedPasskey, "credentialId" | "transports">[];
  }): Promise<PasskeyJson>;
  /** Returns the new counter. */
  used(
    proof: PasskeyProof,
    passkey: Omit<CreatedPasskey, "transports">,
  ): Promise<{ readonly counter: number } | undefined>;
}

/**
 * Returns the relying party of an origin: its exact host name, so that no subdomain or sibling can use its passkeys.
 * Undefined where browsers do not support passkeys: at an IP address, and without HTTPS except on `localhost`.
 */
export function relyingPartyAt(origin: string): RelyingParty | undefined {
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  if (url === undefined) return undefined;
  const { protocol, hostname } = url;
  if (IP.test(hostname)) return undefined;
  const local = hostname === "localhost" || hostname.endsWith(".localhost");
  if (protocol !== "https:" && !local) return undefined;
  return { id: hostname, origin: url.origin };
}

/** Matches IP addresses in URLs: IPv6 in brackets, IPv4 as four numbers. */
const IP = /^(?:\[.*\]|\d+(?:\.\d+){3})$/;
