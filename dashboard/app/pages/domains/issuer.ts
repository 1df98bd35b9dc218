const KNOWN: Readonly<Record<string, string>> = {
  "acme-v02.api.letsencrypt.org": "Let’s Encrypt",
  "acme-staging-v02.api.letsencrypt.org": "Let’s Encrypt (staging)",
  "dv.acme-v02.api.pki.goog": "Google Trust Services",
  "acme.zerossl.com": "ZeroSSL",
};

/** What people call a certificate authority, by the address of its directory; else its host. */
export function issuerOf(directory: string): string {
  if (!URL.canParse(directory)) return directory;
  const { hostname } = new URL(directory);
  return KNOWN[hostname] ?? hostname;
}
