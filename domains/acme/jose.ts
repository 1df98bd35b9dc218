import { once } from "../../lib/base/eventual.ts";
import type { ExternalAccount } from "../ports/authority.ts";
import { sha256 } from "./keys.ts";

/** Signs requests to a CA (RFC 8555 §6.2). */
export interface Signer {
  /** Returns the body of a request to `url`; without `payload` that of a POST-as-GET (§6.3). */
  sign(url: string, nonce: string, payload?: Readonly<Record<string, unknown>>): string;
  /** Returns the inner JWS of a key change: signed by the key itself, without a nonce (§7.3.5). */
  signInner(
    url: string,
    payload: Readonly<Record<string, unknown>>,
  ): Readonly<Record<string, unknown>>;
  /** The public key. */
  readonly jwk: Readonly<Record<string, string>>;
  /** Returns the key authorization for a challenge's token (§8.1). */
  readonly keyAuthorization: (token: string) => string;
  /** Returns the `externalAccountBinding` of a new account (§7.3.4). */
  bindExternalAccount(external: ExternalAccount, url: string): unknown;
}

/** The part of acme-client that signs; its types omit it. */
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

// Loaded only when certificates are ordered: it takes half a second and 30 MB.
const load = once(() => import("acme-client"));

/** Creates a signer for the account key `keyPem`, identified by `accountUrl`, or by the key itself without one. */
export async function createSigner(keyPem: string, accountUrl?: string): Promise<Signer> {
  const { Client } = await load();
  // Only the client's signatures are used; it sends no requests.
  const client = new Client({ directoryUrl: "", accountKey: keyPem });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const jose = (client as unknown as { readonly http: Jose }).http;
  // The members are already in the order that a thumbprint requires (RFC 7638 §3).
  const thumbprint = sha256(Buffer.from(JSON.stringify(jose.getJwk()))).toString("base64url");
  return {
    sign: (url, nonce, payload) =>
      JSON.stringify(
        jose.createSignedBody(url, payload ?? null, { nonce, kid: accountUrl ?? null }),
      ),
    signInner: (url, payload) => jose.createSignedBody(url, payload, { nonce: null, kid: null }),
    jwk: jose.getJwk(),
    keyAuthorization: (token) => `${token}.${thumbprint}`,
    bindExternalAccount: ({ keyId, hmacKey }, url) =>
      jose.createSignedHmacBody(hmacKey, url, jose.getJwk(), { kid: keyId }),
  };
}
