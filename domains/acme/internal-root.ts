import { createPrivateKey } from "node:crypto";

import { DAY_MS, HOUR_MS } from "../../lib/base/clock.ts";
import type { Random } from "../../lib/base/id.ts";
import { createPrivateKeyPem } from "./keys.ts";
import { toPem } from "./pem.ts";
import {
  basicConstraints,
  keyUsage,
  name,
  publicKeyInfo,
  randomSerial,
  signedCertificate,
  subjectKeyIdentifier,
} from "./x509.ts";

/** The root of a CA of our own. Made once, stored by the caller, and trusted by hand on the devices of one home. */
export interface InternalRoot {
  /** PEM; the part that is given away. */
  readonly certificate: string;
  /** PEM (PKCS #8). A secret: who has it can be every site to those who trust the root. */
  readonly key: string;
}

const LIFETIME_MS = 10 * 365 * DAY_MS;

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
      notAfter: now + LIFETIME_MS,
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
