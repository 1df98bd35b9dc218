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
 * Returns the PEM certificate that proves a tls-alpn-01 challenge for `hostname`, to be presented to clients that
 * offer only `acme-tls/1` (RFC 8737 §3). It is self-signed and valid from one day before `now` to seven days after,
 * to allow for clock differences and slow CAs.
 */
export function challengeCertificate(
  hostname: string,
  keyAuthorization: string,
  { privateKeyPem, now, random }: ChallengeCertificateOptions,
): string {
  const key = createPrivateKey(privateKeyPem);
  // Issuer and subject must be equal. The hostname could exceed the 64 characters of a common name.
  const placeholder = name("ACME challenge");
  const proof = octetString(sha256(Buffer.from(keyAuthorization)));
  const certificate = signedCertificate(
    {
      serial: randomSerial(random),
      issuer: placeholder,
      subject: placeholder,
      notBefore: now - DAY_MS,
      notAfter: now + 7 * DAY_MS,
      publicKey: publicKeyInfo(key),
      extensions: [
        // BoringSSL does not serve a certificate whose key usage excludes signing.
        keyUsage("digitalSignature"),
        subjectAltName([hostname]),
        extension(OID.acmeIdentifier, proof, true),
      ],
    },
    key,
  );
  return toPem("CERTIFICATE", certificate);
}
