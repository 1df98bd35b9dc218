/** What a DNS provider calls things, as its own documentation says. Absent: not known. */
export interface Provider {
  readonly name: string;
  /** Endings of the names of its name servers, or patterns of the whole name. */
  readonly nameServers: readonly (string | RegExp)[];
  /** What the fields for name and value are called there. */
  readonly nameField?: string;
  readonly valueField?: string;
  /** The name is entered without the zone, which is put behind it. */
  readonly appendsZone?: boolean;
  /** What is entered as the name for the zone itself; empty: nothing is. */
  readonly apexName?: string;
  /** The type of record that does at the head of a zone what CNAME does below; `none`: there is no such thing. */
  readonly apexType?: string;
  /** The shortest TTL that can be had, in seconds. */
  readonly minTtlSeconds?: number;
  /** Where its documentation on adding records is. */
  readonly help: string;
  /** Where each of these facts was found. */
  readonly sources: readonly [string, ...string[]];
  /** The day they were looked up, YYYY-MM-DD. */
  readonly lookedUp: string;
}

export const providers = {
  cloudflare: {
    name: "Cloudflare",
    nameServers: [".ns.cloudflare.com"],
    help: "https://developers.cloudflare.com/dns/manage-dns-records/how-to/create-dns-records/",
    sources: ["https://developers.cloudflare.com/dns/manage-dns-records/"],
    lookedUp: "2026-11-21",
  },
} as const satisfies Readonly<Record<string, Provider>>;

export type ProviderId = keyof typeof providers;
