import { createPrivateKeyPem, publicKeyOf } from "../../domains/acme/keys.ts";
import { toPem } from "../../domains/acme/pem.ts";
import {
  keyIdentifier,
  randomSerial,
  signedCertificate,
  subjectAltName,
} from "../../domains/acme/x509.ts";
import { DAY_MS } from "../../lib/base/clock.ts";
import { systemRandom } from "../../lib/base/id.ts";

export interface ChainOptions {
  readonly names: readonly string[];
  /** PEM. */
  readonly key: string;
  readonly now: number;
  /** Including the leaf. */
  readonly length?: number;
  readonly notBefore?: number;
  readonly notAfter?: number;
  readonly leafIsAuthority?: boolean;
  readonly issuersAreAuthorities?: boolean;
  readonly issuerNotAfter?: number;
  readonly issuerNotBefore?: number;
  /** The leaf's extended key usage, as object identifiers. Default: none. */
  readonly purposes?: readonly string[];
}

/** Creates a PEM chain like a CA's: the leaf first, up to but without the root. */
export async function makeChain(options: ChainOptions): Promise<readonly string[]> {
  const { names, key, now, length = 2, issuersAreAuthorities = true } = options;
  const keys = [key];
  while (keys.length <= length) keys.push(await createPrivateKeyPem());
  const certificates = Array.from({ length }, async (_, index) => {
    const leaf = index === 0;
    const [own = "", issuer = ""] = keys.slice(index, index + 2);
    const authority = leaf ? options.leafIsAuthority === true : issuersAreAuthorities;
    const end = leaf ? options.notAfter : options.issuerNotAfter;
    const certificate = await signedCertificate(
      {
        serial: randomSerial(systemRandom),
        issuer: `CN=issuer ${index + 1}`,
        subject: leaf ? "" : `CN=issuer ${index}`,
        notBefore: (leaf ? options.notBefore : options.issuerNotBefore) ?? now - DAY_MS,
        notAfter: end ?? now + 90 * DAY_MS,
        publicKey: publicKeyOf(own),
        extensions: (x509) => [
          new x509.BasicConstraintsExtension(authority, authority ? 5 : undefined, true),
          new x509.KeyUsagesExtension(
            x509.KeyUsageFlags[authority ? "keyCertSign" : "digitalSignature"],
            true,
          ),
          new x509.SubjectKeyIdentifierExtension(keyIdentifier(publicKeyOf(own))),
          new x509.AuthorityKeyIdentifierExtension(keyIdentifier(publicKeyOf(issuer))),
          ...(leaf ? [subjectAltName(x509, names, true)] : []),
          ...(leaf && options.purposes !== undefined
            ? [new x509.ExtendedKeyUsageExtension([...options.purposes])]
            : []),
        ],
      },
      issuer,
    );
    return toPem("CERTIFICATE", certificate);
  });
  return Promise.all(certificates);
}
