/** JSON that a browser is given, or gave back, as WebAuthn has it (Level 3, §5.1.8 and §5.1.9). */
export type PasskeyJson = Readonly<Record<string, unknown>>;

/** Whom passkeys are for: a host name, and where its pages are. */
export interface RelyingParty {
  /** `pets.example.org` */
  readonly id: string;
  /** `https://pets.example.org` */
  readonly origin: string;
}

/** A passkey that was just made. */
export interface CreatedPasskey {
  /** base64url */
  readonly credentialId: string;
  /** COSE, base64url. */
  readonly publicKey: string;
  readonly counter: number;
  readonly transports: readonly string[];
}

/** What a browser sent, and by what it is judged. */
export interface PasskeyProof {
  readonly party: RelyingParty;
  readonly response: PasskeyJson;
  /** Whether we made that challenge (base64url), for this, and lately. */
  readonly expects: (challenge: string) => Promise<boolean>;
}

/**
 * The ceremonies of WebAuthn. What every adapter must promise: the options ask for a discoverable passkey and prefer
 * that its holder is verified; a proof is good only for the party, the challenge and the key that it was made for,
 * and when its counter, if it counts, has grown. One that is not good is undefined, whatever is wrong with it.
 */
export interface Passkeys {
  creationOptions(input: {
    readonly party: RelyingParty;
    readonly challenge: Uint8Array;
    readonly member: { readonly id: string; readonly email: string; readonly name: string };
    /** Those that the member has already. */
    readonly known: readonly Pick<CreatedPasskey, "credentialId" | "transports">[];
  }): Promise<PasskeyJson>;
  created(proof: PasskeyProof): Promise<CreatedPasskey | undefined>;
  requestOptions(input: {
    readonly party: RelyingParty;
    readonly challenge: Uint8Array;
    /** Those that will do. Default: any, since the passkey itself says whose it is. */
    readonly known?: readonly Pick<CreatedPasskey, "credentialId" | "transports">[];
  }): Promise<PasskeyJson>;
  /** The counter from now on. */
  used(
    proof: PasskeyProof,
    passkey: Omit<CreatedPasskey, "transports">,
  ): Promise<{ readonly counter: number } | undefined>;
}
