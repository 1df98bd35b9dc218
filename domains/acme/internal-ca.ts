import {
  aClock,
  aCount,
  aFunction,
  checkOptions,
  having,
  optional,
} from "../../lib/base/options.ts";
import { createPrivateKey, X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import { DAY_MS, HOUR_MS, type Clock } from "../../lib/base/clock.ts";
import { once } from "../../lib/base/eventual.ts";
import type { Random } from "../../lib/base/id.ts";
import { done, refused, type Result } from "../../lib/base/result.ts";
import { ownProblem, type AuthorityProblem } from "../model/acme-problem.ts";
import { sameNames } from "../model/certificate.ts";
import type { Account, CertificateAuthority, Directory, Order } from "../ports/authority.ts";
import { member, readDer, timeOf } from "./der.ts";
import { createPrivateKeyPem, keyFingerprint, publicKeyOf } from "./keys.ts";
import { firstBlock, toPem } from "./pem.ts";
import { keyIdentifier, randomSerial, readCsr, signedCertificate, subjectAltName } from "./x509.ts";

/** Options of the internal CA. */
export interface InternalAuthorityOptions {
  /** Default: created with the first certificate and stored nowhere. */
  readonly root?: InternalRoot;
  /** `systemClock`, or a clock of your own. */
  readonly clock: Clock;
  /** Fills an array with random bytes: `(into) => crypto.getRandomValues(into)`. */
  readonly random: Random;
  /** Lifetime of new certificates in milliseconds. Default: 30 days. */
  readonly lifetimeMs?: number;
}

/** Certificates outlast a laptop that is suspended for two weeks. */
const LIFETIME_MS = 30 * DAY_MS;
const MAX_NAMES = 100;

/**
 * Returns a CA for homes and laptops. It runs in this process, requires no proof of control, and is trusted only where
 * its root is installed. Orders are ready at once. It stores nothing: an order's URL lists its names, and a
 * certificate's URL contains the certificate. Revocation has no effect, as no client could learn of it. Throws a
 * `TypeError` for invalid options.
 */
export function internalAuthority(options: InternalAuthorityOptions): CertificateAuthority {
  checkOptions("internalAuthority", options, {
    root: optional(having("a root, such as createInternalRoot() makes")),
    clock: aClock,
    random: aFunction,
    lifetimeMs: optional(aCount(1)),
  });
  const { root, clock, random, lifetimeMs = LIFETIME_MS } = options;
  const given = root === undefined ? undefined : issuerOf(root);
  const openIssuer = once(
    async () => given ?? issuerOf(await createInternalRoot(clock.now(), random)),
  );

  const accountOf = (key: string): Result<Account, AuthorityProblem> =>
    done({ url: `${ACCOUNT}${keyFingerprint(key)}`, key });

  const readyOrder = (url: string): Result<Order, AuthorityProblem> => {
    const names = namesIn(url);
    if (names === undefined) return refused(ownProblem("order_gone", "The order does not exist."));
    return done({ status: "ready", url, names, authorizationUrls: [], finalizeUrl: url });
  };

  const issue = async (names: readonly string[], publicKey: Uint8Array): Promise<Uint8Array> => {
    const issuer = await openIssuer();
    const now = clock.now();
    return signedCertificate(
      {
        serial: randomSerial(random),
        issuer: issuer.subject,
        subject: "",
        // Allows for devices whose clocks are behind.
        notBefore: now - HOUR_MS,
        notAfter: Math.min(now + lifetimeMs, issuer.notAfter),
        publicKey,
        extensions: (x509) => [
          new x509.BasicConstraintsExtension(false, undefined, true),
          new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
          new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
          new x509.AuthorityKeyIdentifierExtension(issuer.keyId),
          // With an empty subject, the subjectAltName must be critical (RFC 5280 §4.2.1.6).
          subjectAltName(x509, names, true),
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
    directory: async (signal) => unlessAborted(signal, done(directory)),
    createAccount: async ({ key }, signal) => unlessAborted(signal, accountOf(key)),
    findAccount: async (key, signal) => unlessAborted(signal, accountOf(key)),
    accountState: async (_account, signal) =>
      unlessAborted(signal, done({ status: "valid", contact: [] })),
    changeKey: async (_account, newKey, signal) => unlessAborted(signal, accountOf(newKey)),
    newOrder: async (_account, { names }, signal) => {
      const order = names.length > MAX_NAMES ? undefined : readyOrder(ORDER + names.join("/"));
      return unlessAborted(signal, order?.ok === true ? order : refused(invalidNames));
    },
    order: async (_account, url, signal) => unlessAborted(signal, readyOrder(url)),
    finalize: async (_account, { url }, csr, signal) => {
      signal.throwIfAborted();
      const order = readyOrder(url);
      if (!order.ok) return order;
      const { names } = order.value;
      const request = await readCsr(csr);
      if (request === undefined || !sameNames(request.names, names)) {
        return refused(
          ownProblem("csr_refused", "The names in the request differ from the order."),
        );
      }
      const leaf = await issue(names, request.publicKey);
      const certificateUrl = CERTIFICATE + Buffer.from(leaf).toString("base64url");
      return done({ ...order.value, status: "valid", certificateUrl });
    },
    download: async (_account, url, signal) => {
      signal.throwIfAborted();
      if (!url.startsWith(CERTIFICATE)) {
        return refused(ownProblem("order_gone", "The certificate does not exist."));
      }
      return done(toPem("CERTIFICATE", Buffer.from(url.slice(CERTIFICATE.length), "base64url")));
    },
    renewalInfo: async (_id, signal) =>
      unlessAborted(
        signal,
        refused(ownProblem("order_gone", "The internal CA offers no renewal information.")),
      ),
    authorization: async (_account, _url, signal) => unlessAborted(signal, refused(noChallenges)),
    respond: async (_account, _challenge, signal) => unlessAborted(signal, refused(noChallenges)),
    deactivate: async (_account, _url, signal) => unlessAborted(signal, done(undefined)),
    revoke: async (_account, _certificate, _reason, signal) =>
      unlessAborted(signal, done(undefined)),
  };
}

/** Returns `answer`, or throws if the request has been aborted. */
function unlessAborted<Answer>(signal: AbortSignal, answer: Answer): Answer {
  signal.throwIfAborted();
  return answer;
}

const noChallenges = ownProblem("order_gone", "The internal CA has no challenges.");
const invalidNames = ownProblem(
  "name_refused",
  `A certificate covers at most ${MAX_NAMES} hostnames and no IP addresses.`,
);

const ACCOUNT = "internal:account/";
const ORDER = "internal:order/";
const CERTIFICATE = "internal:certificate/";

function issuerOf({ certificate, key }: InternalRoot) {
  const der = firstBlock("CERTIFICATE", certificate);
  if (der === undefined || !new X509Certificate(der).checkPrivateKey(createPrivateKey(key))) {
    throw new TypeError("The internal CA's key does not match its certificate.");
  }
  const toBeSigned = member(readDer(der), 0);
  return {
    key,
    subject: member(toBeSigned, 5).whole,
    keyId: keyIdentifier(member(toBeSigned, 6).whole),
    notAfter: timeOf(member(member(toBeSigned, 4), 1)),
  };
}

/** Returns the names listed in an order's URL; undefined for any other URL. */
function namesIn(url: string): readonly string[] | undefined {
  const names = url.startsWith(ORDER) ? url.slice(ORDER.length).split("/") : [];
  return names.length > 0 && names.every((one) => HOSTNAME.test(one) && isIP(one) === 0)
    ? names
    : undefined;
}

const HOSTNAME = /^(\*\.)?[a-z\d-]{1,63}(\.[a-z\d-]{1,63})*$/;

/** The root of an internal CA, created once, stored by the caller, and installed by hand on each device. */
export interface InternalRoot {
  /** PEM; public. */
  readonly certificate: string;
  /** PEM (PKCS #8). Secret: its owner can impersonate any site to devices that trust the root. */
  readonly key: string;
}

const ROOT_LIFETIME_MS = 10 * 365 * DAY_MS;

/** Creates a root that is valid for ten years and may sign leaf certificates only. */
export async function createInternalRoot(now: number, random: Random): Promise<InternalRoot> {
  const pem = await createPrivateKeyPem();
  const serial = randomSerial(random);
  // The suffix distinguishes several installations in a device's list of roots.
  const title = `CN=Petstore internal root ${serial.slice(0, 8)}`;
  const publicKey = publicKeyOf(pem);
  const certificate = await signedCertificate(
    {
      serial,
      issuer: title,
      subject: title,
      notBefore: now - HOUR_MS,
      notAfter: now + ROOT_LIFETIME_MS,
      publicKey,
      extensions: (x509) => [
        new x509.BasicConstraintsExtension(true, 0, true),
        new x509.KeyUsagesExtension(
          x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign,
          true,
        ),
        new x509.SubjectKeyIdentifierExtension(keyIdentifier(publicKey)),
      ],
    },
    pem,
  );
  return { certificate: toPem("CERTIFICATE", certificate), key: pem };
}
