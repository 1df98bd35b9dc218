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

/** Texts about the records at a name. */
export const recordWords: Wording<RecordCode> = {
  no_record: ({ wanted, instead, believedSeconds }) => {
    const [first, ...rest] = wanted;
    const also = rest.map((record) => ` Also ${addingThere(record)}`).join("");
    const same = instead.map(({ type, value }) => `${type} ${value}`);
    const otherwise =
      same.length === 0
        ? ""
        : ` If your provider has no such record type, enter these with the same name instead: ${listed(same)}.`;
    return {
      observed: `There is no record for ${first.fqdn}.`,
      expected: wanted.map(recordText).join(" "),
      fix: `${adding(first)}${also}${otherwise}${waiting(believedSeconds)}`,
    };
  },
  name_doubled: ({ wanted, at }) => ({
    observed: `The record is at ${at}, which contains the domain twice.`,
    expected: recordText(wanted),
    fix: `${atProvider(wanted)}, open that record and shorten its name to ${quoted(wanted.name)}: the provider adds .${wanted.zone} automatically.`,
  }),
  cname_mismatch: ({ wanted, observed, zoneAppended, others = [] }) => ({
    observed:
      others.length === 0
        ? `The CNAME record of ${wanted.fqdn} points to ${clipped(observed)}.`
        : `${wanted.fqdn} has several CNAME records: to ${listed([observed, ...others])}.`,
    expected: recordText(wanted),
    fix:
      others.length > 0
        ? `${changing(wanted)} Delete ${listed(others.map(theOther))} with the same name: only one is allowed.`
        : zoneAppended
          ? `${changing(wanted)} The provider appended .${wanted.zone} to the value. If it does so again, enter the value with a trailing dot: "${wanted.value}."`
          : changing(wanted),
  }),
  conflicting_a: (facts) => conflictingRecords("A", facts),
  conflicting_aaaa: (facts) => conflictingRecords("AAAA", facts),
  cname_coexists: ({ wanted, types, others = [] }) => {
    const records = types.filter((type) => type !== "CNAME").map((type) => `${type} records`);
    const second = others.map((value) => `a CNAME record to ${value}`);
    const toDelete = [...records.map((text) => `the ${text}`), ...others.map(theOther)];
    const keeping = `${typeAt(wanted)} record${others.length === 0 ? "" : ` to ${wanted.value}`}`;
    return {
      observed: `In addition to its CNAME record, ${wanted.fqdn} has ${listed([...records, ...second])}.`,
      expected: "No other records at a name with a CNAME record, because resolvers may use either.",
      fix: `${atProvider(wanted)}, delete ${listed(toDelete)} with the name ${quoted(wanted.name)} and keep the ${keeping}.`,
    };
  },
  cname_loop: ({ wanted, chain }) => ({
    observed: `The CNAME records form a loop: ${chain.slice(0, 9).map(clipped).join(" → ")}.`,
    expected: recordText(wanted),
    fix: changing(wanted),
  }),
  cname_too_long: ({ wanted, chain }) => ({
    observed: `${wanted.fqdn} is the start of ${chain.length} CNAME records in a row, more than resolvers follow.`,
    expected: recordText(wanted),
    fix: changing(wanted),
  }),
  dangling_target: ({ fqdn, target, ours }) => ({
    observed: `${fqdn} points to ${clipped(target)}, which has no address.`,
    expected: "A target with an address.",
    fix: ours
      ? `Nothing to do at your DNS provider: the record is correct. The operator of this service has to give ${target} an address.`
      : `Change the record at ${fqdn}: anyone who takes over ${clipped(target)} could answer in its place.`,
  }),
  apex_needs_alias: ({ wanted, cname }) => ({
    observed: cname
      ? `${wanted.fqdn} has a CNAME record, which is not allowed at the root of a zone.`
      : `There is no record for ${wanted.fqdn}, and its DNS provider does not support ALIAS records.`,
    expected: recordText(wanted),
    fix: cname
      ? `${atProvider(wanted)}, delete the CNAME record of the root domain. Then ${addingThere(wanted)}`
      : `Use www.${wanted.fqdn} instead and let the provider redirect ${wanted.fqdn} to it, or move the DNS of ${wanted.zone} to a provider that supports ALIAS or ANAME records.`,
  }),
  apex_cname_breaks_mail: ({ zone }) => ({
    observed: `${zone} receives mail through its MX records.`,
    expected: `No CNAME record at ${zone} itself: it would hide the MX records, and mail would be lost.`,
    fix: `Use an ALIAS or ANAME record for ${zone}, which does not affect mail. Do not use a CNAME record.`,
  }),
  extra_address: ({ fqdn, foreign, ours }) => ({
    observed: `${fqdn} points to ${listed(ours)}, which ${ours.length === 1 ? "belongs" : "belong"} to this service, and also to ${listed(foreign)}.`,
    expected: `Only ${listed(ours, "or")}, because visitors may be sent to any of the addresses.`,
    fix: `Delete ${recordsOf("A", foreign)} of ${fqdn}.`,
  }),
  aaaa_elsewhere: ({ fqdn, foreign, ours }) => ({
    observed: `${fqdn} has ${foreign.length === 1 ? "the IPv6 address" : "the IPv6 addresses"} ${listed(foreign)}, which ${foreign.length === 1 ? "does" : "do"} not belong to this service.`,
    expected:
      ours.length === 0
        ? "No AAAA record: this service has no IPv6 address."
        : `No IPv6 address other than ${listed(ours, "or")}.`,
    fix: `Delete ${recordsOf("AAAA", foreign)} of ${fqdn}. Certificate authorities and most visitors prefer IPv6 and would not reach this service.`,
  }),
  proxied: ({ wanted, network, addresses, reached }) => ({
    observed: `${wanted.fqdn} points to ${network} (${listed(addresses)}), a proxy between visitors and this service.`,
    expected: reached
      ? "The proxy passes requests on to this service, as it does now."
      : recordText(wanted),
    fix: proxyFix(network, reached, wanted),
  }),
  cname_chain: ({ wanted, through }) => ({
    observed: `The CNAME record of ${wanted.fqdn} points to ${clipped(through[0] ?? "")} instead of the value shown here. The domain still points to this service.`,
    expected: recordText(wanted),
    fix: `${changing(wanted)} This is optional, but the domain stops working if ${listed(through, "or")} is changed or deleted.`,
  }),
  wildcard_match: ({ wildcard, wanted, leadsHere }) => ({
    observed: `The wildcard record ${wildcard} answers for every name in ${wanted.zone} without a record of its own.`,
    expected: "A separate record for every name in use.",
    fix: leadsHere
      ? `${adding(wanted)} While ${wildcard} points here, so does every made-up name under it.`
      : `Nothing to delete: a separate record takes precedence over ${wildcard}.`,
  }),
  ownership_missing: ({ wanted }) => ({
    observed: `There is no TXT record at ${wanted.fqdn}.`,
    expected: recordText(wanted),
    fix: `${adding(wanted)} It proves that the domain is yours.`,
  }),
  ownership_mismatch: ({ wanted, values }) => ({
    observed: `The TXT record at ${wanted.fqdn} has the value ${listed(values.map(quoted))}.`,
    expected: recordText(wanted),
    fix: `${changing(wanted)} Copy the whole value, without quotation marks.`,
  }),
  cname_found: ({ fqdn, target, through }) => ({
    observed: `The CNAME record of ${fqdn} leads to ${target}${through.length === 0 ? "" : ` through ${listed(through)}`}.`,
    expected: "This is correct.",
    fix: "",
  }),
  flattened: ({ fqdn, addresses }) => ({
    observed: `${fqdn} has the addresses of this service: ${listed(addresses)}.`,
    expected: "This is correct.",
    fix: "",
  }),
  ownership_found: ({ fqdn }) => ({
    observed: `The TXT record at ${fqdn} has the requested value.`,
    expected: "This is correct.",
    fix: "",
  }),
};

function theOther(value: string): string {
  return `the CNAME record to ${value}`;
}

/** Describes a record in words. */
function recordText(wanted: WantedRecord): string {
  return `${capital(article(typeAt(wanted)))} record for ${wanted.fqdn} with the value ${wanted.value}.`;
}

function conflictingRecords(
  type: "A" | "AAAA",
  { wanted, addresses, also = [] }: FactsOf<"conflicting_aaaa"> & Partial<FactsOf<"conflicting_a">>,
): Words {
  const points = addresses.length === 1 ? "points" : "point";
  const name = quoted(wanted.name);
  const more = also.length === 0 ? "" : ` and ${recordsOf("AAAA", also)}`;
  return {
    observed: `${wanted.fqdn} has ${recordsOf(type, addresses)}, which ${points} elsewhere.`,
    expected: recordText(wanted),
    fix: `${atProvider(wanted)}, delete ${recordsOf(type, addresses)}${more} with the name ${name}. Then ${addingThere(wanted)}`,
  };
}

/** For example `the A records 192.0.2.1 and 192.0.2.2`. */
function recordsOf(type: "A" | "AAAA", addresses: readonly string[]): string {
  return `the ${type} record${addresses.length === 1 ? "" : "s"} ${listed(addresses)}`;
}

function proxyFix(network: string, reached: boolean, wanted: WantedRecord): string {
  if (reached) return "Nothing to do while the proxy settings stay as they are.";
  const off =
    network === "Cloudflare"
      ? `In Cloudflare, open the record ${quoted(wanted.name)} and change "Proxy status" from "Proxied" to "DNS only"`
      : `Remove ${wanted.fqdn} from ${network}`;
  return `${off}. The record must have the type ${typeAt(wanted)} and the value ${wanted.value}. Nothing else is needed.`;
}

function waiting(seconds: number): string {
  return seconds < 60
    ? ""
    : ` Resolvers may take up to ${duration(seconds)} to see it; this service sees it at once.`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
