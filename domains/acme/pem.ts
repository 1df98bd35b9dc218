/** `label` says what it is: `CERTIFICATE`, `PRIVATE KEY` (RFC 7468). */
export function toPem(label: string, der: Uint8Array): string {
  const lines = Buffer.from(der)
    .toString("base64")
    .match(/.{1,64}/g);
  return `-----BEGIN ${label}-----\n${(lines ?? []).join("\n")}\n-----END ${label}-----\n`;
}

/** What the parts of `pem` with that label hold, in order; what is between them is skipped. */
export function fromPem(label: string, pem: string): readonly Uint8Array[] {
  const parts = pem.matchAll(
    new RegExp(`-----BEGIN ${label}-----([A-Za-z\\d+/=\\s]*)-----END ${label}-----`, "g"),
  );
  return Array.from(parts, ([, body = ""]) => new Uint8Array(Buffer.from(body, "base64")));
}
