import { createPrivateKeyPem, publicKeyOf } from "../../domains/acme/keys.ts";
import { toPem } from "../../domains/acme/pem.ts";
import { randomSerial, signedCertificate } from "../../domains/acme/x509.ts";
import { DAY_MS } from "../../lib/base/clock.ts";
import { systemRandom } from "../../lib/base/id.ts";

/** A good chain, changed so that it must never be put into service. */
export interface BrokenChain {
  readonly what: string;
  /** `damaged`: it cannot be read completely; `wrong`: every certificate in it can be read. */
  readonly kind: "damaged" | "wrong";
  /** `stranger` is a certificate that has nothing to do with the chain. */
  readonly broken: (chain: string, stranger: string) => string;
}

const BEGIN = "-----BEGIN CERTIFICATE-----";
const END = "-----END CERTIFICATE-----";

/** Splits a chain into its blocks. */
export function blocksOf(chain: string): readonly string[] {
  return chain.split(/(?<=-----END CERTIFICATE-----\n)/).filter((part) => part.startsWith(BEGIN));
}

function leafOf(chain: string): string {
  return blocksOf(chain)[0] ?? "";
}

function damaged(what: string, broken: BrokenChain["broken"]): BrokenChain {
  return { what, kind: "damaged", broken };
}

function wrong(what: string, broken: BrokenChain["broken"]): BrokenChain {
  return { what, kind: "wrong", broken };
}

/** Bytes that are a DER value, but not a certificate. */
const NO_CERTIFICATE = toPem("CERTIFICATE", new Uint8Array([0x30, 0x03, 0x02, 0x01, 0x05]));

export const brokenChains: readonly BrokenChain[] = [
  damaged("a second block that is cut", (chain) => chain.slice(0, -200)),
  damaged(
    "a second block that is cut, with an end",
    (chain) => `${chain.slice(0, -200)}\n${END}\n`,
  ),
  damaged("a lone beginning at the end", (chain) => `${chain}${BEGIN}\n`),
  damaged("a lone beginning without a line end", (chain) => `${chain}${BEGIN}`),
  damaged("a lone beginning before the leaf", (chain) => `${BEGIN}\n${chain}`),
  damaged("a lone end", (chain) => `${chain}${END}\n`),
  damaged("an end with another label", (chain) =>
    chain.replace(/END CERTIFICATE(?=-----\n$)/, "END X509 CRL"),
  ),
  damaged(
    "a beginning with too few dashes",
    (chain) => chain + chain.replace("-----BEGIN", "----BEGIN"),
  ),
  damaged("a character that is not base64", (chain) =>
    chain.replace(/\n(.)(?=.*\n-----END)/, "\n*"),
  ),
  damaged("padding in the middle", (chain) => chain.replace(/\nMII/, "\n=MI")),
  damaged("an empty block", (chain) => `${chain}${BEGIN}\n${END}\n`),
  damaged("a block that is no certificate", (chain) => chain + NO_CERTIFICATE),
  damaged("a certificate with bytes after it", (chain) => {
    const [leaf = "", ...rest] = blocksOf(chain);
    const der = Buffer.from(leaf.replaceAll(/-----[^-]+-----|\s/g, ""), "base64");
    return [toPem("CERTIFICATE", Buffer.concat([der, Buffer.from([0])])), ...rest].join("");
  }),
  damaged("a private key", (chain) => chain + toPem("PRIVATE KEY", new Uint8Array([0x30, 0]))),
  damaged(
    "a private key before the leaf",
    (chain) => toPem("EC PRIVATE KEY", new Uint8Array([0x30, 0])) + chain,
  ),
  damaged(
    "a certificate with an old label",
    (chain) => chain + leafOf(chain).replaceAll("CERTIFICATE", "X509 CERTIFICATE"),
  ),
  damaged("nothing", () => ""),
  damaged("a page of a proxy", () => "<html><body>502 Bad Gateway</body></html>"),
  damaged("eleven certificates", (chain) => leafOf(chain).repeat(11)),
  damaged("half a megabyte of text", (chain) => `${chain}${"#".repeat(500_000)}\n`),
  wrong("the leaf twice", (chain) => leafOf(chain) + chain),
  wrong("another order", (chain) => blocksOf(chain).toReversed().join("")),
  wrong("an unrelated certificate", (chain, stranger) => leafOf(chain) + stranger),
  wrong("an unrelated certificate at the end", (chain, stranger) => chain + stranger),
  wrong("only an unrelated certificate", (_chain, stranger) => stranger),
  wrong("a signature that does not match", (chain) => {
    const [leaf = "", ...rest] = blocksOf(chain);
    const der = Buffer.from(leaf.replaceAll(/-----[^-]+-----|\s/g, ""), "base64");
    der[der.length - 1] = (der.at(-1) ?? 0) ^ 1;
    return [toPem("CERTIFICATE", der), ...rest].join("");
  }),
];

/** A chain that must be accepted although it is unusual, and holds the same certificates. */
export const unusualChains: readonly Pick<BrokenChain, "what" | "broken">[] = [
  {
    what: "text before, between and after",
    broken: (chain) =>
      `subject=CN = pets\n\n${chain.replace(`${END}\n`, `${END}\n\nissuer=CN = Root\n`)}# end\n`,
  },
  { what: "Windows line ends", broken: (chain) => chain.replaceAll("\n", "\r\n") },
  {
    what: "trailing spaces and empty lines",
    broken: (chain) => `\n\n${chain.replaceAll("\n", "  \n")}\n\n`,
  },
  { what: "no line end at the end", broken: (chain) => chain.trimEnd() },
  {
    what: "one long line",
    broken: (chain) =>
      blocksOf(chain)
        .map((block) => `${BEGIN}\n${block.replaceAll(/-----[^-]+-----|\s/g, "")}\n${END}\n`)
        .join(""),
  },
];

/** Returns a self-signed certificate of an authority that nobody asked for. */
export async function strangerAt(now: number): Promise<string> {
  const key = await createPrivateKeyPem();
  const content = {
    serial: randomSerial(systemRandom),
    issuer: "CN=stranger",
    subject: "CN=stranger",
    notBefore: now - DAY_MS,
    notAfter: now + 90 * DAY_MS,
    publicKey: publicKeyOf(key),
    extensions: () => [],
  };
  return toPem("CERTIFICATE", await signedCertificate(content, key));
}
