import { once } from "../../lib/base/eventual.ts";
import type { ExternalAccount } from "../ports/authority.ts";
import { sha256 } from "./keys.ts";

/** Signs what is sent to a CA (RFC 8555 §6.2). */
export interface Signer {
  /** The body of a request to `url`; without a `payload` it asks to read (POST-as-GET, §6.3). */
  sign(url: string, nonce: string, payload?: Readonly<Record<string, unknown>>): string;
  /** A signature over `payload` by the key itself and without a nonce, to be sent inside another one (§7.3.5). */
  enclosed(
    url: string,
    payload: Readonly<Record<string, unknown>>,
  ): Readonly<Record<string, unknown>>;
  /** The public key. */
  readonly jwk: Readonly<Record<string, string>>;
  /** The proof for a challenge with that token (§8.1). */
  readonly keyAuthorization: (token: string) => string;
  /** The member `externalAccountBinding` of a new account (§7.3.4). */
  bindTo(external: ExternalAccount, url: string): unknown;
}

/** The part of acme-client that makes signatures; its types leave it out. */
interface Jose {
  getJwk(): Readonly<Record<string, string>>;
  createSignedBody(
    url: string,
    payload: unknown,
    options: { readonly nonce: string | null; readonly kid: string | null },
  ): Readonly<Record<string, unknown>>;
  createSignedHmacBody(
    hmacKey: string,
    url: string,
    payload: unknown,
    options: { readonly kid: string },
  ): unknown;
}

// Half a second and 30 MB: only those pay who order certificates.
const load = once(() => import("acme-client"));

/** Signs with the account key `keyPem`, by the name of the account; without one by the key itself. */
export async function createSigner(keyPem: string, accountUrl?: string): Promise<Signer> {
  const { Client } = await load();
  // The client itself sends nothing: nothing of it but its signatures is used.
  const client = new Client({ directoryUrl: "", accountKey: keyPem });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const jose = (client as unknown as { readonly http: Jose }).http;
  // Its members come in order, as a thumbprint wants them (RFC 7638 §3).
  const thumbprint = sha256(Buffer.from(JSON.stringify(jose.getJwk()))).toString("base64url");
  return {
    sign: (url, nonce, payload) =>
      JSON.stringify(
        jose.createSignedBody(url, payload ?? null, { nonce, kid: accountUrl ?? null }),
      ),
    enclosed: (url, payload) => jose.createSignedBody(url, payload, { nonce: null, kid: null }),
    jwk: jose.getJwk(),
    keyAuthorization: (token) => `${token}.${thumbprint}`,
    bindTo: ({ keyId, hmacKey }, url) =>
      jose.createSignedHmacBody(hmacKey, url, jose.getJwk(), { kid: keyId }),
  };
}
