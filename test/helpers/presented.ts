import { generateKeyPairSync } from "node:crypto";

import {
  name,
  publicKeyInfo,
  randomSerial,
  signedCertificate,
  subjectAltName,
} from "../../domains/acme/x509.ts";
import { toPem } from "../../domains/acme/keys.ts";
import type { Presented } from "../../domains/ports/certificates.ts";
import { DAY_MS } from "../../lib/base/clock.ts";
import { systemRandom } from "../../lib/base/id.ts";

/** A certificate for `names` with a key of its own, signed by itself, for 90 days from now. */
export function presentedFor(id: string, ...names: readonly [string, ...string[]]): Presented {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const now = Date.now();
  const notAfter = now + 90 * DAY_MS;
  const subject = name(id);
  const certificate = signedCertificate(
    {
      serial: randomSerial(systemRandom),
      issuer: subject,
      subject,
      notBefore: now - DAY_MS,
      notAfter,
      publicKey: publicKeyInfo(privateKey),
      extensions: [subjectAltName(names)],
    },
    privateKey,
  );
  return {
    id,
    chainPem: toPem("CERTIFICATE", certificate),
    privateKeyPem: privateKey.export({ type: "pkcs8", format: "pem" }),
    notAfter,
  };
}
