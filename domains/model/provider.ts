/** A DNS provider's terminology, from its documentation. Absent members are unknown. */
export interface Provider {
  readonly name: string;
  /** Suffixes or patterns of its name servers' names. */
  readonly nameServers: readonly (string | RegExp)[];
  /** Labels of the fields for name and value of a CNAME record. */
  readonly nameField?: string;
  readonly valueField?: string;
  /** The name is entered without the zone, which the provider appends. */
  readonly appendsZone?: boolean;
  /** The provider appends the zone to targets without a trailing dot. */
  readonly valueEndsInDot?: boolean;
  /** What to enter as the name of the zone apex; empty: leave the field empty. */
  readonly apexName?: string;
  /** The record type that replaces CNAME at the zone apex; `none`: not supported. */
  readonly apexType?: string;
  /** An additional setting for records that point here, as a sentence. */
  readonly also?: string;
  /** The provider's instructions for adding a record. */
  readonly help?: string;
  /** The source of these facts. */
  readonly sources: readonly [string, ...string[]];
  /** The date of the source, YYYY-MM-DD. */
  readonly lookedUp: string;
}

const LOOKED_UP = "2026-11-21";
/** The providers that are recognized. */
const ALIAS_TABLE =
  "https://github.com/StackExchange/dnscontrol/blob/main/documentation/provider/index.md";
const MICROSOFT = "https://learn.microsoft.com/microsoft-365/admin/dns/create-dns-records-at";

export const providers = {
  cloudflare: {
    name: "Cloudflare",
    nameServers: [".ns.cloudflare.com"],
    nameField: "Name",
    valueField: "Target",
    appendsZone: true,
    apexName: "@",
    apexType: "CNAME",
    also: 'Set "Proxy status" to "DNS only".',
    help: "https://developers.cloudflare.com/dns/manage-dns-records/how-to/create-dns-records/",
    sources: [
      "https://developers.cloudflare.com/dns/cname-flattening/set-up-cname-flattening/",
      "https://developers.cloudflare.com/dns/proxy-status/",
      `${MICROSOFT}-cloudflare`,
    ],
    lookedUp: LOOKED_UP,
  },
  godaddy: {
    name: "GoDaddy",
    nameServers: [".domaincontrol.com"],
    nameField: "Name",
    valueField: "Value",
    appendsZone: true,
    apexName: "@",
    apexType: "none",
    sources: [
      `${MICROSOFT}-godaddy`,
      "https://ca.hostadvice.com/hosting-company/godaddy-reviews/cname-record/",
      "https://learn.microsoft.com/azure/static-web-apps/apex-domain-external",
    ],
    lookedUp: LOOKED_UP,
  },
  namecheap: {
    name: "Namecheap",
    nameServers: [".registrar-servers.com"],
    nameField: "Host",
    valueField: "Value",
    appendsZone: true,
    apexName: "@",
    apexType: "ALIAS",
    help: "https://www.namecheap.com/support/knowledgebase/article.aspx/9646/10/how-can-i-set-up-a-cname-record-for-my-domain",
    sources: [
      "https://www.namecheap.com/support/knowledgebase/article.aspx/9646/10/how-can-i-set-up-a-cname-record-for-my-domain",
      ALIAS_TABLE,
    ],
    lookedUp: LOOKED_UP,
  },
  route53: {
    name: "Amazon Route 53",
    nameServers: [/^ns-\d+\.awsdns-\d+\.(?:com|net|org|co\.uk)$/],
    nameField: "Record name",
    valueField: "Value",
    appendsZone: true,
    apexName: "",
    // Its alias records can only target Amazon's services and names in the same zone.
    apexType: "none",
    help: "https://docs.aws.amazon.com/Route53/latest/DeveloperGuide/resource-record-sets-values-alias-common.html",
    sources: [
      "https://docs.aws.amazon.com/Route53/latest/DeveloperGuide/resource-record-sets-values-alias-common.html",
      "https://docs.aws.amazon.com/Route53/latest/DeveloperGuide/resource-record-sets-choosing-alias-non-alias.html",
      "https://github.com/StackExchange/dnscontrol/pull/301",
    ],
    lookedUp: LOOKED_UP,
  },
  google: {
    // Domains migrated from Google Domains to Squarespace keep these name servers.
    name: "Google Cloud DNS (or Squarespace)",
    nameServers: [/^ns-cloud-[a-z]\d\.googledomains\.com$/],
    help: "https://docs.cloud.google.com/dns/docs/records",
    sources: ["https://docs.cloud.google.com/dns/docs/records-overview"],
    lookedUp: LOOKED_UP,
  },
  squarespace: {
    name: "Squarespace",
    nameServers: [".squarespacedns.com"],
    help: "https://support.squarespace.com/hc/en-us/articles/360002101888",
    sources: ["https://support.squarespace.com/hc/en-us/articles/360002101888"],
    lookedUp: LOOKED_UP,
  },
  digitalocean: {
    name: "DigitalOcean",
    nameServers: [/^ns[1-3]\.digitalocean\.com$/],
    apexType: "none",
    sources: [
      "https://github.com/StackExchange/dnscontrol/blob/main/documentation/provider/digitalocean.md",
    ],
    lookedUp: LOOKED_UP,
  },
  ionos: {
    name: "IONOS",
    nameServers: [/^ns(?:\d+|-ic|cs)\.ui-dns\.(?:biz|com|de|org)$/],
    nameField: "Host name",
    valueField: "Points to",
    appendsZone: true,
    apexName: "@",
    help: "https://www.ionos.com/help/domains/configuring-cname-records-for-subdomains/configuring-a-cname-record-for-a-subdomain",
    sources: [
      "https://www.ionos.com/help/domains/configuring-cname-records-for-subdomains/configuring-a-cname-record-for-a-subdomain",
      `${MICROSOFT}-ionos-com`,
    ],
    lookedUp: LOOKED_UP,
  },
  hetzner: {
    name: "Hetzner",
    nameServers: [/^(?:hydrogen|oxygen|helium)\.ns\.hetzner\.(?:com|de)$/],
    nameField: "Name",
    valueField: "Value",
    appendsZone: true,
    valueEndsInDot: true,
    apexName: "@",
    apexType: "none",
    help: "https://docs.hetzner.com/networking/dns/faq/records",
    sources: ["https://docs.hetzner.com/networking/dns/faq/records", ALIAS_TABLE],
    lookedUp: LOOKED_UP,
  },
  ovh: {
    name: "OVHcloud",
    nameServers: [/^(?:dns|ns)\d*\.ovh\.(?:net|ca)$/, ".anycast.me"],
    nameField: "Sub-domain",
    valueField: "Target",
    appendsZone: true,
    valueEndsInDot: true,
    apexName: "",
    apexType: "none",
    help: "https://docs.ovhcloud.com/en/guides/web-cloud/domains/dns-zone-edit",
    sources: [
      "https://docs.ovhcloud.com/en/guides/web-cloud/domains/dns-zone-edit",
      `${MICROSOFT}-ovh`,
      ALIAS_TABLE,
    ],
    lookedUp: LOOKED_UP,
  },
  gandi: {
    name: "Gandi",
    nameServers: [/^ns-\d+-[abc]\.gandi\.net$/],
    nameField: "Name",
    appendsZone: true,
    valueEndsInDot: true,
    apexName: "@",
    apexType: "ALIAS",
    help: "https://docs.gandi.net/fr/noms_domaine/operations_courantes/enregistrements_dns.html",
    sources: [
      "https://docs.gandi.net/fr/noms_domaine/operations_courantes/enregistrements_dns.html",
      "https://github.com/StackExchange/dnscontrol/blob/main/documentation/provider/gandi_v5.md",
    ],
    lookedUp: LOOKED_UP,
  },
  porkbun: {
    name: "Porkbun",
    nameServers: [".ns.porkbun.com"],
    apexType: "ALIAS",
    help: "https://kb.porkbun.com/article/187-what-is-dns",
    sources: ["https://kb.porkbun.com/article/187-what-is-dns", ALIAS_TABLE],
    lookedUp: LOOKED_UP,
  },
  wix: {
    name: "Wix",
    nameServers: [/^ns\d+\.wixdns\.net$/],
    nameField: "Host Name",
    valueField: "Points to",
    appendsZone: true,
    sources: [`${MICROSOFT}-wix`],
    lookedUp: LOOKED_UP,
  },
  netcup: {
    name: "netcup",
    nameServers: [/^(?:root|second|third)-dns\.netcup\.net$/],
    nameField: "Host",
    valueField: "Destination",
    appendsZone: true,
    apexName: "@",
    help: "https://www.netcup.com/en/helpcenter/documentation/web-hosting/webhosting-dns",
    sources: ["https://www.netcup.com/en/helpcenter/documentation/web-hosting/webhosting-dns"],
    lookedUp: LOOKED_UP,
  },
  azure: {
    name: "Azure DNS",
    nameServers: [/^ns[1-4]-\d+\.azure-dns\.(?:com|net|org|info)$/],
    nameField: "Name",
    appendsZone: true,
    apexName: "@",
    // Its alias records can only target Azure resources and names in the same zone.
    apexType: "none",
    help: "https://learn.microsoft.com/azure/dns/dns-zones-records",
    sources: [
      "https://learn.microsoft.com/azure/dns/dns-zones-records",
      "https://learn.microsoft.com/azure/dns/dns-alias",
    ],
    lookedUp: LOOKED_UP,
  },
  dnsimple: {
    name: "DNSimple",
    nameServers: [/^ns\d\.dnsimple(?:-edge)?\.(?:com|net|org)$/],
    nameField: "Name",
    valueField: "Content",
    appendsZone: true,
    apexName: "@",
    apexType: "ALIAS",
    help: "https://support.dnsimple.com/articles/alias-record-reference",
    sources: [
      "https://support.dnsimple.com/articles/alias-record-reference",
      "https://support.dnsimple.com/articles/ns-record-format/",
    ],
    lookedUp: LOOKED_UP,
  },
} as const satisfies Readonly<Record<string, Provider>>;

export type ProviderId = keyof typeof providers;

/**
 * Returns the DNS provider that all name servers, given in lower case, belong to; undefined if unknown or if there
 * are several, as only one can be the place to enter records.
 */
export function providerOf(nameServers: readonly string[]): ProviderId | undefined {
  const owners = new Set(nameServers.map(ownerOf));
  const [owner] = owners;
  return owners.size === 1 ? owner : undefined;
}

export function providerFacts(id: ProviderId): Provider {
  return providers[id];
}

// TypeScript widens the keys of a literal to string.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const IDS = Object.keys(providers) as readonly ProviderId[];

export function isProvider(id: string): id is ProviderId {
  return Object.hasOwn(providers, id);
}

function ownerOf(nameServer: string): ProviderId | undefined {
  return IDS.find((id) =>
    providerFacts(id).nameServers.some((known) =>
      typeof known === "string" ? nameServer.endsWith(known) : known.test(nameServer),
    ),
  );
}
