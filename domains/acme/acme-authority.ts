import {
  aClock,
  anAddress,
  anything,
  aText,
  checkOptions,
  listOf,
  optional,
} from "../../lib/base/options.ts";
import type { Clock } from "../../lib/base/clock.ts";
import { base64url } from "../../lib/base/digest.ts";
import { done, refused, type Result } from "../../lib/base/result.ts";
import { ownProblem, type AuthorityProblem } from "../model/acme-problem.ts";
import type { RevocationReason } from "../model/domain.ts";
import { sameNames } from "../model/certificate.ts";
import type {
  Account,
  AccountApplication,
  CertificateAuthority,
  Order,
} from "../ports/authority.ts";
import { createAcmeClient, malformed } from "./acme-client.ts";
import type { HttpsClient } from "./https-client.ts";
import { createSigner, type Signer } from "./jose.ts";
import {
  fieldsIn,
  httpsUrl,
  type Fields,
  readAccount,
  readAuthorization,
  readChallenge,
  readOrder,
  readRenewalInfo,
} from "./resources.ts";
import type { AcmeResponse } from "./transport.ts";
import { readChain, type ReadChain } from "./inspect.ts";
import { firstBlock } from "./pem.ts";

/** Options of a CA that is reached by ACME. */
export interface AcmeAuthorityOptions {
  /** The address of the directory (RFC 8555 §7.1.1), such as `https://acme-v02.api.letsencrypt.org/directory`. */
  readonly directoryUrl: string;
  /** Sends the requests: `createHttpsClient` makes it. */
  readonly https: HttpsClient;
  /** `systemClock`, or a clock of your own. */
  readonly clock: Clock;
  /** The same as in `CertificateAuthority`. */
  readonly application?: CertificateAuthority["application"];
  /** The same as in `CertificateAuthority`. */
  readonly caaIdentities?: readonly string[] | undefined;
  /** The same as in `CertificateAuthority`. A CA that refuses the profile gets the order once more without it. */
  readonly profile?: string | undefined;
}

/** Returns a CA that is reached by ACME (RFC 8555). Throws a `TypeError` for invalid options. */
export function acmeAuthority(options: AcmeAuthorityOptions): CertificateAuthority {
  checkOptions("acmeAuthority", options, {
    directoryUrl: anAddress,
    https: anything,
    clock: aClock,
    application: optional(anything),
    caaIdentities: optional(listOf(aText)),
    profile: optional(aText),
  });
  const { directoryUrl, https, clock } = options;
  const { directory, endpoints, get, send } = createAcmeClient(directoryUrl, https, clock);

  const signerOf = ({ key, url }: Account): Promise<Signer> => createSigner(key, url);

  const apply = async (
    key: string,
    payload: (signer: Signer, url: string) => Fields,
    signal: AbortSignal,
  ): Promise<Result<Account, AuthorityProblem>> => {
    const signer = await createSigner(key);
    const reply = await send(
      signer,
      ({ newAccount }) => newAccount,
      (url) => payload(signer, url),
      signal,
    );
    if (!reply.ok) return reply;
    const url = httpsUrl(reply.value.headers["location"]);
    return url === undefined ? refused(malformed("an account")) : done({ url, key });
  };

  const toOrder = (reply: AcmeResponse, url: string): Result<Order, AuthorityProblem> => {
    const order = readOrder(fieldsIn(reply.body) ?? {}, url, reply.retryAt);
    return order === undefined ? refused(malformed("an order")) : done(order);
  };

  const order: CertificateAuthority["order"] = async (account, url, signal) => {
    const reply = await send(await signerOf(account), url, undefined, signal);
    return reply.ok ? toOrder(reply.value, url) : reply;
  };

  return {
    id: directoryUrl,
    kind: "acme",
    application: options.application,
    caaIdentities: options.caaIdentities,
    profile: options.profile,

    directory,

    createAccount: (application, signal) =>
      apply(application.key, (signer, url) => newAccountPayload(application, signer, url), signal),

    findAccount: (key, signal) => apply(key, () => ({ onlyReturnExisting: true }), signal),

    accountState: async (account, signal) => {
      const reply = await send(await signerOf(account), account.url, undefined, signal);
      if (!reply.ok) return reply;
      const state = readAccount(fieldsIn(reply.value.body) ?? {});
      return state === undefined ? refused(malformed("an account")) : done(state);
    },

    changeKey: async (account, newKey, signal) => {
      const [signer, next] = await Promise.all([signerOf(account), createSigner(newKey)]);
      const found = await endpoints(signal);
      if (!found.ok) return found;
      const { keyChange: url } = found.value;
      if (url === undefined) {
        return refused(ownProblem("bad_request", "The CA does not support changing account keys."));
      }
      const payload = next.signInner(url, { account: account.url, oldKey: signer.jwk });
      const reply = await send(signer, url, () => payload, signal);
      return reply.ok ? done({ url: account.url, key: newKey }) : reply;
    },

    newOrder: async (account, { names, profile, replaces }, signal) => {
      const odd = names.find((one) => !A_LABELS.test(one));
      if (odd !== undefined) throw new TypeError(`Not a hostname in A-labels: ${odd}`);
      const identifiers = names.map((value) => ({ type: "dns", value }));
      const payload = {
        identifiers,
        ...(profile !== undefined && { profile }),
        ...(replaces !== undefined && { replaces }),
      };
      const signer = await signerOf(account);
      const reply = await send(
        signer,
        ({ newOrder }) => newOrder,
        () => payload,
        signal,
      );
      if (!reply.ok) return reply;
      const url = httpsUrl(reply.value.headers["location"]);
      if (url === undefined) return refused(malformed("an order"));
      const made = toOrder(reply.value, url);
      if (!made.ok || sameNames(made.value.names, names)) return made;
      return refused(ownProblem("unavailable", "The CA created an order for different names."));
    },

    order,

    authorization: async (account, url, signal) => {
      const signer = await signerOf(account);
      const reply = await send(signer, url, undefined, signal);
      if (!reply.ok) return reply;
      const { body, retryAt } = reply.value;
      const { keyAuthorization } = signer;
      const read = readAuthorization(fieldsIn(body) ?? {}, url, keyAuthorization, retryAt);
      return read === undefined ? refused(malformed("an authorization")) : done(read);
    },

    respond: async (account, challenge, signal) => {
      const signer = await signerOf(account);
      const { url } = challenge;
      const read = (reply: AcmeResponse) => {
        const found = readChallenge(fieldsIn(reply.body) ?? {}, signer.keyAuthorization);
        if (found === undefined) return refused(malformed("a challenge"));
        const { retryAt } = reply;
        return done(retryAt === undefined ? found : { ...found, retryAt });
      };
      const reply = await send(signer, url, () => ({}), signal);
      if (reply.ok) return read(reply.value);
      if (reply.failure.code !== "bad_request") return reply;
      // Only the challenge itself shows whether it has been responded to before.
      const again = await send(signer, url, undefined, signal);
      const now = again.ok ? read(again.value) : again;
      return now.ok && now.value.status !== "pending" ? now : reply;
    },

    deactivate: async (account, url, signal) => {
      const signer = await signerOf(account);
      const reply = await send(signer, url, () => ({ status: "deactivated" }), signal);
      // The authorization is already removed, expired or invalid.
      const over = new Set(["bad_request", "order_gone"]);
      return reply.ok || over.has(reply.failure.code) ? done(undefined) : reply;
    },

    finalize: async (account, { url, finalizeUrl }, csr, signal) => {
      const signer = await signerOf(account);
      const reply = await send(signer, finalizeUrl, () => ({ csr: base64url(csr) }), signal);
      if (reply.ok) return toOrder(reply.value, url);
      if (!AMBIGUOUS.has(reply.failure.code)) return reply;
      // CAs refuse an order that is already finalized with the same error as one that is not ready yet.
      const now = await order(account, url, signal);
      return now.ok && FINALIZED.has(now.value.status) ? now : reply;
    },

    download: async (account, url, signal) => {
      const signer = await signerOf(account);
      const first = await send(signer, url, undefined, signal);
      if (!first.ok) return first;
      // What was damaged on the way is whole the second time.
      const reply = chainIn(first.value).ok ? first : await send(signer, url, undefined, signal);
      if (!reply.ok) return reply;
      const chain = chainIn(reply.value);
      if (!chain.ok) {
        if (!textIn(reply.value).includes("-----BEGIN "))
          return refused(malformed("a certificate"));
        const message = `The CA sent a certificate chain that cannot be used: ${chain.failure}.`;
        return refused(ownProblem("certificate_unusable", message));
      }
      return done(chain.value.pem);
    },

    renewalInfo: async (renewalId, signal) => {
      const found = await endpoints(signal);
      if (!found.ok) return found;
      const { renewalInfo: base } = found.value;
      if (base === undefined) {
        return refused(ownProblem("bad_request", "The CA offers no renewal information."));
      }
      const reply = await get(`${base.replace(/\/$/, "")}/${renewalId}`, signal);
      if (!reply.ok) return reply;
      const { body, retryAt } = reply.value;
      const info = readRenewalInfo(fieldsIn(body) ?? {});
      if (info === undefined) return refused(malformed("a renewal window"));
      return done(retryAt === undefined ? info : { ...info, retryAt });
    },

    revoke: async (by, certificate, reason, signal) => {
      const leaf = firstBlock("CERTIFICATE", certificate);
      if (leaf === undefined) throw new TypeError("No certificate in the PEM to revoke.");
      const signer = await ("url" in by ? signerOf(by) : createSigner(by.key));
      const reply = await send(
        signer,
        ({ revokeCert }) => revokeCert,
        () => ({ certificate: base64url(leaf), reason: REASONS[reason] }),
        signal,
      );
      return reply.ok ? done(undefined) : reply;
    },
  };
}

const A_LABELS = /^(\*\.)?[a-z\d-]+(\.[a-z\d-]+)*$/;

const AMBIGUOUS: ReadonlySet<string> = new Set(["order_not_ready", "bad_request"]);
const FINALIZED: ReadonlySet<string> = new Set(["processing", "valid"]);

/** CRL reason codes (RFC 5280 §5.3.1). */
const REASONS: Readonly<Record<RevocationReason, number>> = {
  unspecified: 0,
  keyCompromise: 1,
  superseded: 4,
  cessationOfOperation: 5,
};

function newAccountPayload(
  { email, externalAccount }: AccountApplication,
  signer: Signer,
  url: string,
): Fields {
  return {
    termsOfServiceAgreed: true,
    ...(email !== undefined && { contact: [`mailto:${email}`] }),
    ...(externalAccount !== undefined && {
      externalAccountBinding: signer.bindExternalAccount(externalAccount, url),
    }),
  };
}

function chainIn(response: AcmeResponse): Result<ReadChain, string> {
  return readChain(textIn(response));
}

function textIn({ body }: AcmeResponse): string {
  return new TextDecoder().decode(body);
}
