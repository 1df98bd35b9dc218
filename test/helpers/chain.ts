import { createPrivateKey } from "node:crypto";

import { createPrivateKeyPem, publicKeyOf, toPem } from "../../domains/acme/keys.ts";
import {
  authorityKeyIdentifier,
  basicConstraints,
  keyUsage,
  name,
  randomSerial,
  signedCertificate,
  subjectAltName,
  subjectKeyIdentifier,
} from "../../domains/acme/x509.ts";
import { DAY_MS } from "../../lib/base/clock.ts";
import { systemRandom } from "../../lib/base/id.ts";

export interface ChainOptions {
  readonly names: readonly string[];
  /** PEM. */
  readonly key: string;
  readonly now: number;
  /** The leaf included. */
  readonly length?: number;
  readonly notBefore?: number;
  readonly notAfter?: number;
  readonly leafIsAuthority?: boolean;
  readonly issuersAreAuthorities?: boolean;
  readonly issuerNotAfter?: number;
}

/** A chain as a CA would send it, each certificate PEM and the leaf first: signed up to a root that is not in it. */
export async function makeChain(options: ChainOptions): Promise<readonly string[]> {
  const { names, key, now, length = 2, issuersAreAuthorities = true } = options;
  const keys = [key];
  while (keys.length <= length) keys.push(await createPrivateKeyPem());
  return Array.from({ length }, (_, index) => {
    const leaf = index === 0;
    const [own = "", issuer = ""] = keys.slice(index, index + 2);
    const authority = leaf ? options.leafIsAuthority === true : issuersAreAuthorities;
    const end = leaf ? options.notAfter : options.issuerNotAfter;
    const certificate = signedCertificate(
      {
        serial: randomSerial(systemRandom),
        issuer: name(`issuer ${index + 1}`),
        subject: leaf ? name() : name(`issuer ${index}`),
        notBefore: (leaf ? options.notBefore : undefined) ?? now - DAY_MS,
        notAfter: end ?? now + 90 * DAY_MS,
        publicKey: publicKeyOf(own),
        extensions: [
          basicConstraints(authority ? { below: 5 } : false),
          keyUsage(...(authority ? (["keyCertSign"] as const) : (["digitalSignature"] as const))),
          subjectKeyIdentifier(publicKeyOf(own)),
          authorityKeyIdentifier(publicKeyOf(issuer)),
          ...(leaf ? [subjectAltName(names, true)] : []),
        ],
      },
      createPrivateKey(issuer),
    );
    return toPem("CERTIFICATE", certificate);
  });
}
