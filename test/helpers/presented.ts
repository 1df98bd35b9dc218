import { createPrivateKeyPem, publicKeyOf } from "../../domains/acme/keys.ts";
import { toPem } from "../../domains/acme/pem.ts";
import { randomSerial, signedCertificate, subjectAltName } from "../../domains/acme/x509.ts";
import type { Presented } from "../../domains/ports/certificates.ts";
import { DAY_MS } from "../../lib/base/clock.ts";
import { systemRandom } from "../../lib/base/id.ts";

/** A certificate for `names` with its own key, self-signed, valid for 90 days from now. */
export async function presentedFor(
  id: string,
  ...names: readonly [string, ...string[]]
): Promise<Presented> {
  const privateKeyPem = await createPrivateKeyPem();
  const now = Date.now();
  const notAfter = now + 90 * DAY_MS;
  const certificate = await signedCertificate(
    {
      serial: randomSerial(systemRandom),
      issuer: `CN=${id}`,
      subject: `CN=${id}`,
      notBefore: now - DAY_MS,
      notAfter,
      publicKey: publicKeyOf(privateKeyPem),
      extensions: (x509) => [subjectAltName(x509, names)],
    },
    privateKeyPem,
  );
  return { id, chainPem: toPem("CERTIFICATE", certificate), privateKeyPem, notAfter };
}
