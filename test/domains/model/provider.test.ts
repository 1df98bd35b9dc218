import { describe, expect, test } from "bun:test";
import {
  providerFacts,
  providerOf,
  providers,
  type ProviderId,
} from "../../../domains/model/provider.ts";

/** Name servers as seen in delegations. */
const seen: Readonly<Record<ProviderId, readonly string[]>> = {
  cloudflare: ["ada.ns.cloudflare.com", "bob.ns.cloudflare.com"],
  godaddy: ["ns31.domaincontrol.com", "ns32.domaincontrol.com"],
  namecheap: ["dns1.registrar-servers.com", "dns2.registrar-servers.com"],
  route53: ["ns-1234.awsdns-26.org", "ns-2.awsdns-00.com", "ns-1550.awsdns-01.co.uk"],
  google: ["ns-cloud-a1.googledomains.com", "ns-cloud-e4.googledomains.com"],
  squarespace: ["nsa1.squarespacedns.com", "nsd4.squarespacedns.com"],
  digitalocean: ["ns1.digitalocean.com", "ns3.digitalocean.com"],
  ionos: ["ns1022.ui-dns.biz", "ns1099.ui-dns.org", "ns-ic.ui-dns.de"],
  hetzner: ["hydrogen.ns.hetzner.com", "oxygen.ns.hetzner.com", "helium.ns.hetzner.de"],
  ovh: ["dns19.ovh.net", "ns19.ovh.net"],
  gandi: ["ns-142-b.gandi.net", "ns-161-a.gandi.net"],
  porkbun: ["curitiba.ns.porkbun.com", "maceio.ns.porkbun.com"],
  wix: ["ns12.wixdns.net", "ns13.wixdns.net"],
  netcup: ["root-dns.netcup.net", "second-dns.netcup.net", "third-dns.netcup.net"],
  azure: ["ns1-01.azure-dns.com", "ns4-01.azure-dns.info"],
  dnsimple: ["ns1.dnsimple.com", "ns2.dnsimple-edge.net"],
};

describe("a provider", () => {
  for (const [id, nameServers] of Object.entries(seen)) {
    test(`${id} is recognized by its name servers`, () => {
      expect(providerOf(nameServers)).toBe(id as ProviderId);
    });
  }

  test("is not recognized by similar names", () => {
    expect(providerOf(["ns1.evilns.cloudflare.com.example"])).toBeUndefined();
    expect(providerOf(["x.ns-1.awsdns-2.com"])).toBeUndefined();
    expect(providerOf(["notdomaincontrol.com"])).toBeUndefined();
  });

  test("is unknown for a zone at two providers", () => {
    expect(providerOf(["ada.ns.cloudflare.com", "dns19.ovh.net"])).toBeUndefined();
  });

  test("is unknown if one name server is unknown", () => {
    expect(providerOf(["ada.ns.cloudflare.com", "ns1.shelter.org"])).toBeUndefined();
  });

  test("is unknown without name servers", () => {
    expect(providerOf([])).toBeUndefined();
  });
});

describe("provider facts", () => {
  test("have a source and a date", () => {
    for (const id of Object.keys(providers)) {
      const { sources, lookedUp, help } = providerFacts(id as ProviderId);
      const links = help === undefined ? sources : [...sources, help];
      expect(links.filter((link) => !link.startsWith("https://"))).toEqual([]);
      expect(lookedUp).toMatch(/^\d{4}-\d\d-\d\d$/);
    }
  });

  test("cover the sixteen providers tested here", () => {
    expect(Object.keys(providers)).toEqual(Object.keys(seen));
  });
});
