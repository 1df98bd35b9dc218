import { createPrivateKey, X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import { DAY_MS, HOUR_MS, type Clock } from "../../lib/base/clock.ts";
import type { Random } from "../../lib/base/id.ts";
import { done, refused, type Result } from "../../lib/base/result.ts";
import { ownProblem, type AuthorityProblem } from "../model/acme-problem.ts";
import { sameNames } from "../model/certificate.ts";
import type { Account, CertificateAuthority, Directory, Order } from "../ports/authority.ts";
import {
  readCsr,
  authorityKeyIdentifier,
  basicConstraints,
  extendedKeyUsage,
  keyUsage,
  name,
  OID,
  randomSerial,
  signedCertificate,
  subjectAltName,
  publicKeyInfo,
  subjectKeyIdentifier,
} from "./x509.ts";
import { type Der, member, readDer, timeOf } from "./der.ts";
import { keyFingerprint, fromPem, toPem, createPrivateKeyPem } from "./keys.ts";

export interface InternalAuthorityOptions {
  readonly root: InternalRoot;
  readonly clock: Clock;
  readonly random: Random;
  /** How long certificates live from now on, in milliseconds. Default: 30 days. */
  readonly lifetimeMs?: number;
}

/** A laptop that sleeps for two weeks wakes up with certificates that still hold. */
const LIFETIME_MS = 30 * DAY_MS;
const MAX_NAMES = 100;

/**
 * A CA for homes and laptops: it is part of this program, asks for no proof, and is trusted by those who were told
 * to. Orders are ready at once. It keeps nothing: the address of an order is its names, the address of a
 * certificate is the certificate. Revoking does nothing, for nobody would hear of it.
 */
export function internalAuthority({
  root,
  clock,
  random,
  lifetimeMs = LIFETIME_MS,
}: InternalAuthorityOptions): CertificateAuthority {
  const issuer = issuerOf(root);

  const accountOf = (key: string): Result<Account, AuthorityProblem> =>
    done({ url: `${ACCOUNT}${keyFingerprint(key)}`, key });

  const readyOrder = (url: string): Result<Order, AuthorityProblem> => {
    const names = namesIn(url);
    if (names === undefined) return refused(ownProblem("order_gone", "There is no such order."));
    return done({ status: "ready", url, names, authorizationUrls: [], finalizeUrl: url });
  };

  const issue = (names: readonly string[], publicKey: Der): Der => {
    const now = clock.now();
    return signedCertificate(
      {
        serial: randomSerial(random),
        issuer: issuer.subject,
        subject: name(),
        // Devices in one home do not agree on the time.
        notBefore: now - HOUR_MS,
        notAfter: Math.min(now + lifetimeMs, issuer.notAfter),
        publicKey,
        extensions: [
          basicConstraints(false),
          keyUsage("digitalSignature"),
          extendedKeyUsage(OID.serverAuth),
          authorityKeyIdentifier(issuer.publicKey),
          // Without a subject, the names have to be heeded (RFC 5280 §4.2.1.6).
          subjectAltName(names, true),
        ],
      },
      issuer.key,
    );
  };

  const directory: Directory = {
    caaIdentities: [],
    externalAccountRequired: false,
    renewalInfo: false,
    profiles: {},
    aheadMs: 0,
  };

  return {
    id: "internal",
    kind: "internal",
    directory: async (signal) => given(signal, done(directory)),
    createAccount: async ({ key }, signal) => given(signal, accountOf(key)),
    findAccount: async (key, signal) => given(signal, accountOf(key)),
    accountState: async (_account, signal) => given(signal, done({ status: "valid", contact: [] })),
    changeKey: async (_account, newKey, signal) => given(signal, accountOf(newKey)),
    newOrder: async (_account, { names }, signal) => {
      const order = names.length > MAX_NAMES ? undefined : readyOrder(ORDER + names.join("/"));
      return given(signal, order?.ok === true ? order : refused(noSuchNames));
    },
    order: async (_account, url, signal) => given(signal, readyOrder(url)),
    finalize: async (_account, { url }, csr, signal) => {
      signal.throwIfAborted();
      const order = readyOrder(url);
      if (!order.ok) return order;
      const { names } = order.value;
      const request = readCsr(csr);
      if (request === undefined || !sameNames(request.names, names)) {
        return refused(ownProblem("csr_refused", "The request is not for the names of the order."));
      }
      const leaf = issue(names, request.publicKey);
      const certificateUrl = CERTIFICATE + Buffer.from(leaf).toString("base64url");
      return done({ ...order.value, status: "valid", certificateUrl });
    },
    download: async (_account, url, signal) => {
      signal.throwIfAborted();
      if (!url.startsWith(CERTIFICATE)) {
        return refused(ownProblem("order_gone", "There is no such certificate."));
      }
      return done(toPem("CERTIFICATE", Buffer.from(url.slice(CERTIFICATE.length), "base64url")));
    },
    renewalInfo: async (_id, signal) =>
      given(signal, refused(ownProblem("order_gone", "It says nothing of renewals."))),
    authorization: async (_account, _url, signal) => given(signal, refused(nothingToProve)),
    answer: async (_account, _challenge, signal) => given(signal, refused(nothingToProve)),
    deactivate: async (_account, _url, signal) => given(signal, done(undefined)),
    revoke: async (_account, _certificate, _reason, signal) => given(signal, done(undefined)),
  };
}

/** `answer`, unless nobody waits for it any more. */
function given<Answer>(signal: AbortSignal, answer: Answer): Answer {
  signal.throwIfAborted();
  return answer;
}

const nothingToProve = ownProblem("order_gone", "There is nothing to prove.");
const noSuchNames = ownProblem(
  "name_refused",
  `One certificate is for at most ${MAX_NAMES} names, and for no addresses.`,
);

const ACCOUNT = "internal:account/";
const ORDER = "internal:order/";
const CERTIFICATE = "internal:certificate/";

function issuerOf({ certificate, key }: InternalRoot) {
  const [der] = fromPem("CERTIFICATE", certificate);
  if (der === undefined || !new X509Certificate(der).checkPrivateKey(createPrivateKey(key))) {
    throw new TypeError("The key of the internal CA does not belong to its certificate.");
  }
  const toBeSigned = member(readDer(der), 0);
  return {
    key: createPrivateKey(key),
    subject: member(toBeSigned, 5).whole,
    publicKey: member(toBeSigned, 6).whole,
    notAfter: timeOf(member(member(toBeSigned, 4), 1)),
  };
}

/** The names that make the address of an order; undefined for any other address. */
function namesIn(url: string): readonly string[] | undefined {
  const names = url.startsWith(ORDER) ? url.slice(ORDER.length).split("/") : [];
  return names.length > 0 && names.every((one) => HOSTNAME.test(one) && isIP(one) === 0)
    ? names
    : undefined;
}

const HOSTNAME = /^(\*\.)?[a-z\d-]{1,63}(\.[a-z\d-]{1,63})*$/;

/** The root of a CA of our own. Made once, stored by the caller, and trusted by hand on the devices of one home. */
export interface InternalRoot {
  /** PEM; the part that is given away. */
  readonly certificate: string;
  /** PEM (PKCS #8). A secret: who has it can be every site to those who trust the root. */
  readonly key: string;
}

const ROOT_LIFETIME_MS = 10 * 365 * DAY_MS;

/** A new root, valid for ten years and for leaves alone. */
export async function createInternalRoot(now: number, random: Random): Promise<InternalRoot> {
  const pem = await createPrivateKeyPem();
  const key = createPrivateKey(pem);
  const serial = randomSerial(random);
  // Two installations in one home can be told apart in the list of roots.
  const title = name(`Petstore internal root ${Buffer.from(serial).toString("hex", 0, 4)}`);
  const publicKey = publicKeyInfo(key);
  const certificate = signedCertificate(
    {
      serial,
      issuer: title,
      subject: title,
      notBefore: now - HOUR_MS,
      notAfter: now + ROOT_LIFETIME_MS,
      publicKey,
      extensions: [
        basicConstraints({ below: 0 }),
        keyUsage("keyCertSign", "cRLSign"),
        subjectKeyIdentifier(publicKey),
      ],
    },
    key,
  );
  return { certificate: toPem("CERTIFICATE", certificate), key: pem };
}
