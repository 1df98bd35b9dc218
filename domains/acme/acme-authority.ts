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
import { createConversation, nonsense } from "./conversation.ts";
import type { HttpsExchange } from "./exchange.ts";
import { createSigner, type Signer } from "./jose.ts";
import { fromPem } from "./keys.ts";
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
import type { AcmeReply } from "./transport.ts";
import { inspectChain } from "./inspect.ts";

export interface AcmeAuthorityOptions {
  readonly directoryUrl: string;
  readonly exchange: HttpsExchange;
  readonly clock: Clock;
  /** The common name of the issuer in which the chain shall end, where the CA offers several; default: its own choice. */
  readonly preferredIssuer?: string;
}

/** A CA that speaks ACME (RFC 8555). */
export function acmeAuthority(options: AcmeAuthorityOptions): CertificateAuthority {
  const { directoryUrl, exchange, clock, preferredIssuer } = options;
  const { directory, endpoints, get, send } = createConversation(directoryUrl, exchange, clock);

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
    return url === undefined ? refused(nonsense("an account")) : done({ url, key });
  };

  const readingOrder = (reply: AcmeReply, url: string): Result<Order, AuthorityProblem> => {
    const order = readOrder(fieldsIn(reply.body) ?? {}, url, reply.retryAt);
    return order === undefined ? refused(nonsense("an order")) : done(order);
  };

  const order: CertificateAuthority["order"] = async (account, url, signal) => {
    const reply = await send(await signerOf(account), url, undefined, signal);
    return reply.ok ? readingOrder(reply.value, url) : reply;
  };

  return {
    id: directoryUrl,
    kind: "acme",

    directory,

    createAccount: (application, signal) =>
      apply(application.key, (signer, url) => wishes(application, signer, url), signal),

    findAccount: (key, signal) => apply(key, () => ({ onlyReturnExisting: true }), signal),

    accountState: async (account, signal) => {
      const reply = await send(await signerOf(account), account.url, undefined, signal);
      if (!reply.ok) return reply;
      const state = readAccount(fieldsIn(reply.value.body) ?? {});
      return state === undefined ? refused(nonsense("an account")) : done(state);
    },

    changeKey: async (account, newKey, signal) => {
      const [signer, next] = await Promise.all([signerOf(account), createSigner(newKey)]);
      const found = await endpoints(signal);
      if (!found.ok) return found;
      const { keyChange: url } = found.value;
      if (url === undefined) {
        return refused(ownProblem("bad_request", "The CA lets no account change its key."));
      }
      const payload = next.enclosed(url, { account: account.url, oldKey: signer.jwk });
      const reply = await send(signer, url, () => payload, signal);
      return reply.ok ? done({ url: account.url, key: newKey }) : reply;
    },

    newOrder: async (account, { names, profile, replaces }, signal) => {
      const odd = names.find((one) => !A_LABELS.test(one));
      if (odd !== undefined) throw new TypeError(`A name is not in A-labels: ${odd}`);
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
      if (url === undefined) return refused(nonsense("an order"));
      const made = readingOrder(reply.value, url);
      if (!made.ok || sameNames(made.value.names, names)) return made;
      return refused(ownProblem("unavailable", "The CA made an order for other names."));
    },

    order,

    authorization: async (account, url, signal) => {
      const signer = await signerOf(account);
      const reply = await send(signer, url, undefined, signal);
      if (!reply.ok) return reply;
      const { body, retryAt } = reply.value;
      const { keyAuthorization } = signer;
      const read = readAuthorization(fieldsIn(body) ?? {}, url, keyAuthorization, retryAt);
      return read === undefined ? refused(nonsense("an authorization")) : done(read);
    },

    answer: async (account, challenge, signal) => {
      const signer = await signerOf(account);
      const { url } = challenge;
      const read = (reply: AcmeReply) => {
        const found = readChallenge(fieldsIn(reply.body) ?? {}, signer.keyAuthorization);
        if (found === undefined) return refused(nonsense("a challenge"));
        const { retryAt } = reply;
        return done(retryAt === undefined ? found : { ...found, retryAt });
      };
      const reply = await send(signer, url, () => ({}), signal);
      if (reply.ok) return read(reply.value);
      if (reply.failure.code !== "bad_request") return reply;
      // Whether it was answered before is told by nothing but the challenge itself.
      const again = await send(signer, url, undefined, signal);
      const now = again.ok ? read(again.value) : again;
      return now.ok && now.value.status !== "pending" ? now : reply;
    },

    deactivate: async (account, url, signal) => {
      const signer = await signerOf(account);
      const reply = await send(signer, url, () => ({ status: "deactivated" }), signal);
      // Gone, expired, invalid: there is nothing left to give up.
      const over = new Set(["bad_request", "order_gone"]);
      return reply.ok || over.has(reply.failure.code) ? done(undefined) : reply;
    },

    finalize: async (account, { url, finalizeUrl }, csr, signal) => {
      const signer = await signerOf(account);
      const reply = await send(signer, finalizeUrl, () => ({ csr: base64url(csr) }), signal);
      if (reply.ok) return readingOrder(reply.value, url);
      if (!AMBIGUOUS.has(reply.failure.code)) return reply;
      // An order that was finalized before is refused like one that is not ready.
      const now = await order(account, url, signal);
      return now.ok && FINALIZED.has(now.value.status) ? now : reply;
    },

    download: async (account, url, signal) => {
      const signer = await signerOf(account);
      const reply = await send(signer, url, undefined, signal);
      if (!reply.ok) return reply;
      const chain = pemIn(reply.value);
      if (chain === undefined) return refused(nonsense("a certificate"));
      if (preferredIssuer === undefined || endsWith(chain, preferredIssuer)) return done(chain);
      for (const alternate of alternatesIn(reply.value.headers["link"] ?? "", url)) {
        const other = await send(signer, alternate, undefined, signal);
        const pem = other.ok ? pemIn(other.value) : undefined;
        if (pem !== undefined && endsWith(pem, preferredIssuer)) return done(pem);
      }
      return done(chain);
    },

    renewalInfo: async (renewalId, signal) => {
      const found = await endpoints(signal);
      if (!found.ok) return found;
      const { renewalInfo: base } = found.value;
      if (base === undefined) {
        return refused(ownProblem("bad_request", "The CA says nothing of renewals."));
      }
      const reply = await get(`${base.replace(/\/$/, "")}/${renewalId}`, signal);
      if (!reply.ok) return reply;
      const { body, retryAt } = reply.value;
      const info = readRenewalInfo(fieldsIn(body) ?? {});
      if (info === undefined) return refused(nonsense("a renewal window"));
      return done(retryAt === undefined ? info : { ...info, retryAt });
    },

    revoke: async (by, certificate, reason, signal) => {
      const [leaf] = fromPem("CERTIFICATE", certificate);
      if (leaf === undefined) throw new TypeError("There is no certificate to revoke.");
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

/** Numbers of RFC 5280 §5.3.1. */
const REASONS: Readonly<Record<RevocationReason, number>> = {
  unspecified: 0,
  keyCompromise: 1,
  superseded: 4,
  cessationOfOperation: 5,
};

function wishes(
  { email, externalAccount }: AccountApplication,
  signer: Signer,
  url: string,
): Fields {
  return {
    termsOfServiceAgreed: true,
    ...(email !== undefined && { contact: [`mailto:${email}`] }),
    ...(externalAccount !== undefined && {
      externalAccountBinding: signer.bindTo(externalAccount, url),
    }),
  };
}

/** The chain in an answer, without what may stand around it; undefined when there is none. */
function pemIn({ body }: AcmeReply): string | undefined {
  const pem = new TextDecoder().decode(body);
  return fromPem("CERTIFICATE", pem).length === 0 ? undefined : pem;
}

/** So many other chains are looked at, each for a request. */
const MAX_ALTERNATES = 4;

/** The addresses of other chains for the same certificate (RFC 8555 §7.4.2), from the header `Link`. */
export function alternatesIn(link: string, base: string): readonly string[] {
  const found = link.matchAll(/<([^<>]{1,2048})>\s*((?:;\s*[^;,]{1,256})*)/g);
  const addresses = Array.from(found).flatMap(([, target = "", parameters = ""]) => {
    if (!/;\s*rel="?alternate"?\s*(;|$)/i.test(parameters) || !URL.canParse(target, base))
      return [];
    return [new URL(target, base).href];
  });
  return addresses.filter((one) => httpsUrl(one) !== undefined).slice(0, MAX_ALTERNATES);
}

/** The last certificate of the chain was signed by somebody of that common name. */
function endsWith(pem: string, issuer: string): boolean {
  return inspectChain(pem)?.certificates.at(-1)?.issuer === issuer;
}
