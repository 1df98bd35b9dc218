import { DAY_MS } from "../../lib/base/clock.ts";
import type { Random } from "../../lib/base/id.ts";
import { publicKeyOf, sha256 } from "./keys.ts";
import { toPem } from "./pem.ts";
import { randomSerial, signedCertificate, subjectAltName } from "./x509.ts";

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
export async function challengeCertificate(
  hostname: string,
  keyAuthorization: string,
  { privateKeyPem, now, random }: ChallengeCertificateOptions,
): Promise<string> {
  // Issuer and subject must be equal. The hostname could exceed the 64 characters of a common name.
  const placeholder = "CN=ACME challenge";
  const proof = sha256(Buffer.from(keyAuthorization));
  const certificate = await signedCertificate(
    {
      serial: randomSerial(random),
      issuer: placeholder,
      subject: placeholder,
      notBefore: now - DAY_MS,
      notAfter: now + 7 * DAY_MS,
      publicKey: publicKeyOf(privateKeyPem),
      extensions: (x509) => [
        // BoringSSL does not serve a certificate whose key usage excludes signing.
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        subjectAltName(x509, [hostname]),
        // An OCTET STRING of 32 bytes.
        new x509.Extension(ACME_IDENTIFIER, true, Uint8Array.of(0x04, proof.length, ...proof)),
      ],
    },
    privateKeyPem,
  );
  return toPem("CERTIFICATE", certificate);
}

const ACME_IDENTIFIER = "1.3.6.1.5.5.7.1.31";
