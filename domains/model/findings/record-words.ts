import type { FactsOf, WantedRecord, Wording, Words } from "../finding-facts.ts";
import {
  adding,
  addingThere,
  article,
  atProvider,
  changing,
  clipped,
  duration,
  listed,
  quoted,
  typeAt,
} from "./text.ts";

type RecordCode =
  | "aaaa_elsewhere"
  | "apex_cname_breaks_mail"
  | "apex_needs_alias"
  | "cname_chain"
  | "cname_coexists"
  | "cname_found"
  | "cname_loop"
  | "cname_mismatch"
  | "cname_too_long"
  | "conflicting_a"
  | "conflicting_aaaa"
  | "dangling_target"
  | "extra_address"
  | "flattened"
  | "name_doubled"
  | "no_record"
  | "ownership_found"
  | "ownership_mismatch"
  | "ownership_missing"
  | "proxied"
  | "wildcard_match";

/** What is said of the records at a name. */
export const recordWords: Wording<RecordCode> = {
  no_record: ({ wanted, instead, believedSeconds }) => {
    const [first, ...rest] = wanted;
    const also = rest.map((record) => ` Also ${addingThere(record)}`).join("");
    const same = instead.map(({ type, value }) => `${type} ${value}`);
    const otherwise =
      same.length === 0
        ? ""
        : ` Where there is no such type of record, enter these with the same name instead: ${listed(same)}.`;
    return {
      observed: `There is no record for ${first.fqdn}.`,
      expected: wanted.map(recordText).join(" "),
      fix: `${adding(first)}${also}${otherwise}${waiting(believedSeconds)}`,
    };
  },
  name_doubled: ({ wanted, at }) => ({
    observed: `The record is at ${at}: the domain is in its name twice.`,
    expected: recordText(wanted),
    fix: `${atProvider(wanted)}, open that record and shorten its name to ${quoted(wanted.name)}: .${wanted.zone} is added by itself.`,
  }),
  cname_mismatch: ({ wanted, observed, zoneAppended }) => ({
    observed: `${wanted.fqdn} is a CNAME for ${clipped(observed)}.`,
    expected: recordText(wanted),
    fix: zoneAppended
      ? `${changing(wanted)} The provider has put .${wanted.zone} behind the value: if it does so again, enter the value with a dot at its end, "${wanted.value}."`
      : changing(wanted),
  }),
  conflicting_a: (facts) => inTheWay("A", facts),
  conflicting_aaaa: (facts) => inTheWay("AAAA", facts),
  cname_coexists: ({ wanted, types }) => ({
    observed: `Beside the CNAME record ${wanted.fqdn} also has ${listed(types)} records.`,
    expected: `A name with a CNAME record has no other records: resolvers may use either.`,
    fix: `${atProvider(wanted)}, delete the ${listed(types)} records with the name ${quoted(wanted.name)} and keep the ${typeAt(wanted)} record.`,
  }),
  cname_loop: ({ wanted, chain }) => ({
    observed: `The CNAME records lead in a circle: ${chain.slice(0, 9).map(clipped).join(" → ")}.`,
    expected: recordText(wanted),
    fix: changing(wanted),
  }),
  cname_too_long: ({ wanted, chain }) => ({
    observed: `${wanted.fqdn} leads over ${chain.length} CNAME records one after the other, which is more than resolvers follow.`,
    expected: recordText(wanted),
    fix: changing(wanted),
  }),
  dangling_target: ({ fqdn, target, ours }) => ({
    observed: `${fqdn} leads to ${clipped(target)}, and that name has no address.`,
    expected: "The name at the end has an address.",
    fix: ours
      ? `Nothing at your DNS provider: the record is right. The operator of this service has to give ${target} an address.`
      : `Change the record at ${fqdn}: whoever gets hold of ${clipped(target)} could answer in its place.`,
  }),
  apex_needs_alias: ({ wanted, cname }) => ({
    observed: cname
      ? `${wanted.fqdn} has a CNAME record, which the domain itself cannot have beside the records that every zone needs.`
      : `There is no record for ${wanted.fqdn}, and its DNS provider has no ALIAS records.`,
    expected: recordText(wanted),
    fix: cname
      ? `${atProvider(wanted)}, delete the CNAME record of the domain itself. Then ${addingThere(wanted)}`
      : `Use www.${wanted.fqdn} instead and let the provider redirect ${wanted.fqdn} to it, or move the DNS of ${wanted.zone} to a provider that has ALIAS or ANAME records.`,
  }),
  apex_cname_breaks_mail: ({ zone }) => ({
    observed: `Mail for addresses at ${zone} is delivered by its MX records.`,
    expected: `No CNAME record at ${zone} itself: it hides the MX records, and mail is lost.`,
    fix: `For ${zone} itself use an ALIAS or ANAME record, which leaves mail alone; never a CNAME record.`,
  }),
  extra_address: ({ fqdn, foreign, ours }) => ({
    observed: `Beside ${listed(ours)}, which ${ours.length === 1 ? "is" : "are"} ours, ${fqdn} also has ${listed(foreign)}.`,
    expected: `Only ${listed(ours, "or")}: visitors are sent to any of the addresses.`,
    fix: `Delete the A records of ${fqdn} with the value ${listed(foreign)}.`,
  }),
  aaaa_elsewhere: ({ fqdn, foreign, ours }) => ({
    observed: `${fqdn} has ${foreign.length === 1 ? "the IPv6 address" : "the IPv6 addresses"} ${listed(foreign)}, which ${foreign.length === 1 ? "is" : "are"} not ours.`,
    expected:
      ours.length === 0
        ? "No AAAA record: this service is reached by IPv4 alone."
        : `No other IPv6 address than ${listed(ours, "or")}.`,
    fix: `Delete the AAAA records of ${fqdn} with the value ${listed(foreign)}. Certificate authorities and most visitors prefer IPv6 and would not arrive here.`,
  }),
  proxied: ({ wanted, network, addresses, reached }) => ({
    observed: `${wanted.fqdn} has addresses of ${network} (${listed(addresses)}): a proxy stands between visitors and this service.`,
    expected: reached
      ? "The proxy passes requests on to this service, as it does now."
      : recordText(wanted),
    fix: proxyFix(network, reached, wanted),
  }),
  cname_chain: ({ wanted, through }) => ({
    observed: `${wanted.fqdn} is a CNAME for ${clipped(through[0] ?? "")}, not for the value that is shown here; it leads to this service all the same.`,
    expected: recordText(wanted),
    fix: `Nothing has to be changed now. ${changing(wanted)} Otherwise the domain stops working when ${listed(through, "or")} is changed or deleted.`,
  }),
  wildcard_match: ({ wildcard, wanted, leadsHere }) => ({
    observed: `The record ${wildcard} answers for every name in ${wanted.zone} that has none of its own.`,
    expected: "A record of its own for every name that is used.",
    fix: leadsHere
      ? `${adding(wanted)} As long as ${wildcard} leads here, so does every name that somebody makes up.`
      : `Nothing to delete: a record of its own wins over ${wildcard}.`,
  }),
  ownership_missing: ({ wanted }) => ({
    observed: `There is no TXT record at ${wanted.fqdn}.`,
    expected: recordText(wanted),
    fix: `${adding(wanted)} It proves that the domain is yours.`,
  }),
  ownership_mismatch: ({ wanted, values }) => ({
    observed: `The TXT record at ${wanted.fqdn} says ${listed(values.map(quoted))}.`,
    expected: recordText(wanted),
    fix: `${changing(wanted)} Copy it whole, without quotation marks.`,
  }),
  cname_found: ({ fqdn, target, through }) => ({
    observed: `${fqdn} is a CNAME for ${target}${through.length === 0 ? "" : `, by way of ${listed(through)}`}.`,
    expected: "This is right.",
    fix: "",
  }),
  flattened: ({ fqdn, addresses }) => ({
    observed: `${fqdn} has the addresses of this service: ${listed(addresses)}.`,
    expected: "This is right.",
    fix: "",
  }),
  ownership_found: ({ fqdn }) => ({
    observed: `The TXT record at ${fqdn} has the value that was asked for.`,
    expected: "This is right.",
    fix: "",
  }),
};

/** `pets.shelter.org CNAME abc.cname.petstore.app`, in words. */
function recordText(wanted: WantedRecord): string {
  return `${capital(article(typeAt(wanted)))} record for ${wanted.fqdn} with the value ${wanted.value}.`;
}

function inTheWay(
  type: "A" | "AAAA",
  { wanted, addresses, also = [] }: FactsOf<"conflicting_aaaa"> & Partial<FactsOf<"conflicting_a">>,
): Words {
  const leads = addresses.length === 1 ? "leads" : "lead";
  const name = quoted(wanted.name);
  const more = also.length === 0 ? "" : ` and ${recordsOf("AAAA", also)}`;
  return {
    observed: `${wanted.fqdn} has ${recordsOf(type, addresses)}, which ${leads} somewhere else.`,
    expected: recordText(wanted),
    fix: `${atProvider(wanted)}, delete ${recordsOf(type, addresses)}${more} with the name ${name}. Then ${addingThere(wanted)}`,
  };
}

/** `the A records 192.0.2.1 and 192.0.2.2` */
function recordsOf(type: "A" | "AAAA", addresses: readonly string[]): string {
  return `the ${type} record${addresses.length === 1 ? "" : "s"} ${listed(addresses)}`;
}

function proxyFix(network: string, reached: boolean, wanted: WantedRecord): string {
  if (reached) return "Nothing, as long as the proxy stays as it is.";
  const off =
    network === "Cloudflare"
      ? `In Cloudflare, open the record ${quoted(wanted.name)} and switch "Proxy status" from "Proxied" to "DNS only"`
      : `Take ${wanted.fqdn} out of ${network}`;
  return `${off}; its type has to be ${typeAt(wanted)} and its value ${wanted.value}. Then nothing else is needed.`;
}

function waiting(seconds: number): string {
  return seconds < 60
    ? ""
    : ` It can take up to ${duration(seconds)} until everybody sees it; we see it at once.`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
