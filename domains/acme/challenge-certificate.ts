import { createPrivateKey } from "node:crypto";

import { DAY_MS } from "../../lib/base/clock.ts";
import type { Random } from "../../lib/base/id.ts";
import { octetString } from "./der.ts";
import { sha256, toPem } from "./keys.ts";
import {
  extension,
  keyUsage,
  name,
  OID,
  publicKeyInfo,
  randomSerial,
  signedCertificate,
  subjectAltName,
} from "./x509.ts";

export interface ChallengeCertificateOptions {
  /** PEM (PKCS #8), ECDSA P-256. */
  readonly privateKeyPem: string;
  readonly now: number;
  readonly random: Random;
}

/**
 * The certificate, PEM, that proves a tls-alpn-01 challenge for `hostname` when it is presented to a client that
 * offers `acme-tls/1` alone (RFC 8737 §3). Signed by itself, and of no other use: it is valid from a day before
 * `now` to seven days after, so that no clock and no slow CA matters.
 */
export function challengeCertificate(
  hostname: string,
  keyAuthorization: string,
  { privateKeyPem, now, random }: ChallengeCertificateOptions,
): string {
  const key = createPrivateKey(privateKeyPem);
  // CAs want issuer and subject to be the same; a common name that is the name itself could be too long.
  const nobody = name("ACME challenge");
  const proof = octetString(sha256(Buffer.from(keyAuthorization)));
  const certificate = signedCertificate(
    {
      serial: randomSerial(random),
      issuer: nobody,
      subject: nobody,
      notBefore: now - DAY_MS,
      notAfter: now + 7 * DAY_MS,
      publicKey: publicKeyInfo(key),
      extensions: [
        // BoringSSL serves no certificate whose key may not sign.
        keyUsage("digitalSignature"),
        subjectAltName([hostname]),
        extension(OID.acmeIdentifier, proof, true),
      ],
    },
    key,
  );
  return toPem("CERTIFICATE", certificate);
}
