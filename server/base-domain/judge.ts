import type { BaseDomainFacts, BaseDomainNames } from "../../domains/index.ts";
import type { BaseDomainCheck } from "../../lib/management/index.ts";
import type { Candidate } from "./candidate.ts";
import { verdictOf, type Verdict } from "./verdict.ts";

/** Judges a name in the DNS; the checks are in the order in which they depend on each other. */
export function judge(proposed: Candidate, facts: BaseDomainFacts): readonly BaseDomainCheck[] {
  const { shown } = proposed;
  const names = ["address", "staging", "wildcard", "targets"] as const;
  return [
    verdictOf("name", proposed.name, { code: "right" }),
    ...names.map((id) => verdictOf(id, shown[id], judgeName(id, proposed, facts))),
    verdictOf("http", proposed.name, judgeHttp(proposed, facts)),
    verdictOf("https", proposed.name, judgeHttps(proposed, facts)),
    verdictOf("caa", proposed.name, judgeCaa(facts)),
  ];
}

/** Judges a local name, or one that cannot be registered. */
export function judgeWithout(
  proposed: Pick<Candidate, "name">,
  code: "this_computer" | "ip_address" | "special_use" | "public_suffix",
): readonly BaseDomainCheck[] {
  return [verdictOf("name", proposed.name, { code })];
}

function judgeName(
  id: keyof BaseDomainNames,
  proposed: Candidate,
  { names, http }: BaseDomainFacts,
): Verdict {
  const found = names[id];
  const expected = expectedAt(id, proposed, { names, http });
  const wanted = expected.length === 0 ? {} : { expected };
  if (found.kind === "unknown") return { code: "dns_silent", ...wanted };
  if (found.kind === "none") return { code: "no_record", ...wanted };
  const { addresses: observed } = found;
  const ours = observed.filter((address) => expected.includes(address));
  if (expected.length === 0 || ours.length === observed.length) return { code: "right", observed };
  if (ours.length > 0) return { code: "partly_elsewhere", observed, ...wanted };
  // A proxy before this service has its own address.
  if (id === "address" && http.kind === "us") return { code: "right", observed };
  return { code: "elsewhere", observed, ...wanted };
}

/** Returns the expected addresses of a name: ours, or those at which the base domain reaches us. */
function expectedAt(
  id: keyof BaseDomainNames,
  { addresses }: Candidate,
  { names, http }: Pick<BaseDomainFacts, "names" | "http">,
): readonly string[] {
  const own = names.address;
  if (id === "address" || own.kind !== "found") return addresses;
  if (http.kind === "us") return [...new Set([...addresses, ...own.addresses])];
  return addresses.length > 0 ? addresses : own.addresses;
}

type View = BaseDomainFacts["http"] | NonNullable<BaseDomainFacts["https"]>;

function judgeHttp(proposed: Candidate, { names, http }: BaseDomainFacts): Verdict {
  return judgeView(proposed, names.address, http);
}

/** `open`: without a certificate the server cannot be identified; it is ordered once the name is the base domain. */
function judgeHttps(proposed: Candidate, { names, https }: BaseDomainFacts): Verdict {
  if (https === undefined) return { code: "https_off" };
  if (https.kind === "open") return { code: "open", state: proposed.present ? "warning" : "ok" };
  return judgeView(proposed, names.address, https);
}

function judgeCaa({ caa }: BaseDomainFacts): Verdict {
  if (caa === undefined) return { code: "not_needed" };
  const observed = caa.records.length === 0 ? {} : { observed: caa.records };
  switch (caa.permission.kind) {
    case "allowed":
      return { code: "right", ...observed };
    case "forbidden":
      return { code: "ca_forbidden", ...observed };
    case "unknown":
      return { code: "ca_unasked", ...observed };
  }
}

function judgeView(
  { behindRouter }: Candidate,
  own: BaseDomainFacts["names"]["address"],
  view: View,
): Verdict {
  switch (view.kind) {
    case "us":
      return { code: "right" };
    case "other":
      return { code: "somebody_else", observed: [view.location ?? `HTTP ${view.status}`] };
    case "circle":
      return { code: "circle" };
    case "refused":
    case "timeout":
      // Many routers cannot reach their own public address: visitors may still get through.
      return { code: view.kind, ...(behindRouter ? { state: "warning" } : {}) };
    case "open":
      return { code: "open" };
    case "unlooked":
      if (own.kind === "found") return { code: "no_public_address", observed: own.addresses };
      return { code: own.kind === "none" ? "no_record" : "dns_silent", state: "skipped" };
  }
}
