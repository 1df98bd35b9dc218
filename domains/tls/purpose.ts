import type { ClientHello } from "./client-hello.ts";

/** The protocol by which an authority looks at a challenge (RFC 8737 §6.2). */
export const ACME = "acme-tls/1";

const SPOKEN: readonly string[] = ["h2", "http/1.1"];

/** What a client comes for, as far as its first words tell. */
export type Purpose =
  /** Pages, by HTTP. */
  | { readonly kind: "visit"; readonly serverName: string }
  /** The certificate of a challenge (RFC 8737 §3). */
  | { readonly kind: "validation"; readonly serverName: string }
  /** Nothing that we have. */
  | {
      readonly kind: "none";
      readonly reason: "unrecognized_name" | "no_application_protocol";
    };

/**
 * Who offers `acme-tls/1` beside something else is a visitor. Who says nothing of protocols speaks HTTP/1.1, and who
 * names no host gets no certificate: there is none for strangers.
 */
export function purposeOf({ serverName, protocols }: ClientHello): Purpose {
  if (serverName === undefined) return { kind: "none", reason: "unrecognized_name" };
  if (protocols.length === 1 && protocols[0] === ACME) return { kind: "validation", serverName };
  const understood = protocols.length === 0 || protocols.some((one) => SPOKEN.includes(one));
  if (!understood) return { kind: "none", reason: "no_application_protocol" };
  return { kind: "visit", serverName };
}
