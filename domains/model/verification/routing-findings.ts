import { type Finding, finding, type FindingOf } from "../finding.ts";
import { foreignIn, routeOf, type AddressRoute, type AliasRoute, type Route } from "./route.ts";
import { aliasType, lacksAlias, type Subject } from "./subject.ts";
import type { Observation } from "./observation.ts";
import { differenceOf, firstFew } from "../findings/text.ts";
import { recordsOf } from "../answer.ts";

/** Returns the findings for a name that does not point here according to one server. */
export function wrongFindings(
  subject: Subject,
  observation: Observation,
  server: string,
): Finding[] {
  const { route } = observation;
  if (answeredByWildcard(subject, route)) {
    // Conflicting records inherited from elsewhere cannot be deleted at the name.
    return [...nothing(subject, 0, server), wildcardMatch(subject, false)];
  }
  switch (route.kind) {
    case "unknown":
      return [];
    case "nothing":
      return nothing(subject, route.ttlSeconds, server);
    case "alias":
      return wrongAlias(subject, route, server);
    case "addresses":
      return wrongAddresses(subject, route, { observation, server });
    default:
      return route satisfies never;
  }
}

function nothing(subject: Subject, believedSeconds: number, server: string): Finding[] {
  const { survey, alias, addresses } = subject;
  const { doubled } = survey;
  if (doubled.cname.kind === "found" && doubled.cname.records[0].startsWith(survey.target)) {
    return [finding("name_doubled", { wanted: alias, at: doubled.name })];
  }
  if (survey.zone.kind === "absent") {
    return [finding("not_delegated", { registrable: subject.facts.registrable })];
  }
  if (!lacksAlias(subject)) {
    // Providers with a known ALIAS type need no alternative.
    const instead = aliasType(subject) === undefined ? addresses : [];
    const facts = { wanted: [alias], instead, believedSeconds } as const;
    const missing = finding("no_record", facts, { server });
    return [missing, ...mailWarning(subject)];
  }
  const [first, ...rest] = addresses;
  return first === undefined
    ? [
        finding("apex_needs_alias", { wanted: alias, cname: false }, { server }),
        ...mailWarning(subject),
      ]
    : [
        finding(
          "no_record",
          { wanted: [first, ...rest], instead: [], believedSeconds },
          { server },
        ),
      ];
}

/** Warns against a CNAME record where none is allowed. */
function mailWarning(subject: Subject): Finding[] {
  const { survey, apex, zone } = subject;
  // Providers that flatten records do want a CNAME here.
  return apex && survey.apexHasMail === true && aliasType(subject) !== "CNAME"
    ? [finding("apex_cname_breaks_mail", { zone })]
    : [];
}

function wrongAlias(
  subject: Subject,
  { target: observed, others }: AliasRoute,
  server: string,
): Finding[] {
  const { survey, alias, zone } = subject;
  const followed = survey.resolvers
    .map(routeOf)
    .find((route): route is AliasRoute => route.kind === "alias" && route.target === observed);
  // A self-reference is visible in the record itself; for longer loops most resolvers only report a failure.
  const itself = observed === survey.hostname ? "cname_loop" : undefined;
  const { chain, broken = itself } = followed ?? { chain: [observed] };
  if (broken !== undefined) {
    return [finding(broken, { wanted: alias, chain: [survey.hostname, ...chain] }, { server })];
  }
  const mismatch = finding(
    "cname_mismatch",
    {
      wanted: alias,
      observed,
      difference: differenceOf(observed, survey.target),
      zoneAppended: observed === `${survey.target}.${zone}`,
      ...(others.length > 0 && { others: firstFew(others) }),
    },
    { server },
  );
  return leadsNowhere(subject, observed)
    ? [mismatch, dangling(subject, chain.at(-1) ?? observed)]
    : [mismatch];
}

/**
 * Whether all resolvers that know the alias's target report that it has no address, so that someone else could
 * register it. Not for targets in the own zone, which are only mistyped.
 */
function leadsNowhere({ survey }: Subject, observed: string): boolean {
  const { target } = survey;
  if (observed.includes(target.slice(target.indexOf(".")))) return false;
  const followed = survey.resolvers.filter(({ a }) => a.aliases[0]?.target === observed);
  return (
    followed.length > 0 &&
    followed.every(({ a, aaaa }) => a.kind === "absent" && aaaa.kind === "absent")
  );
}

function dangling({ survey }: Subject, target: string): Finding {
  return finding(
    "dangling_target",
    { fqdn: survey.hostname, target, ours: false },
    { severity: "warning" },
  );
}

function wrongAddresses(
  subject: Subject,
  route: AddressRoute,
  { observation, server }: { readonly observation: Observation; readonly server: string },
): Finding[] {
  const { alias: wanted, ours, survey, facts } = subject;
  const { destination } = observation;
  const fqdn = survey.hostname;
  const all = [...route.a, ...route.aaaa];
  if (ours.dangling && facts.edgeAddresses.length === 0) {
    // Without our own addresses there is nothing to compare with, and the fault is ours.
    return [finding("dangling_target", { fqdn, target: survey.target, ours: true }, { server })];
  }
  if (destination.kind === "proxied") {
    const { network } = destination;
    return [finding("proxied", { wanted, network, addresses: all, reached: false }, { server })];
  }
  const { a, aaaa } = foreignIn(route, ours);
  const partlyOurs = all.some((address) => ours.has(address));
  const found: Finding[] = [];
  if (a.length > 0) {
    const own = route.a.filter((address) => ours.has(address));
    found.push(
      partlyOurs
        ? finding("extra_address", { fqdn, foreign: a, ours: own }, { server })
        : finding("conflicting_a", { wanted, addresses: a, also: aaaa }, { server }),
    );
  }
  if (aaaa.length > 0) {
    found.push(
      partlyOurs
        ? finding("aaaa_elsewhere", { fqdn, foreign: aaaa, ours: ours.aaaa }, { server })
        : finding("conflicting_aaaa", { wanted, addresses: aaaa }, { server }),
    );
  }
  return found;
}

/** Returns the findings for a name that points here: success, and possible problems. */
export function rightFindings(
  subject: Subject,
  observation: Observation,
  server: string,
): Finding[] {
  const { survey, ours, apex, alias: wanted } = subject;
  const { route, destination } = observation;
  const fqdn = survey.hostname;
  const found: Finding[] = [];
  if (destination.kind === "target") {
    const { through } = destination;
    found.push(finding("cname_found", { fqdn, target: survey.target, through }, { server }));
    // A CNAME at a zone apex is not allowed, whatever its value.
    if (through.length > 0 && !apex) {
      found.push(finding("cname_chain", { wanted, through: firstFew(through) }, { server }));
    }
  }
  if (destination.kind === "target" && ours.dangling) {
    found.push(finding("dangling_target", { fqdn, target: survey.target, ours: true }));
  }
  if (route.kind === "addresses") {
    const addresses = [...route.a, ...route.aaaa];
    found.push(
      destination.kind === "proxied"
        ? finding(
            "proxied",
            { wanted, network: destination.network, addresses, reached: true },
            { server, severity: "warning" },
          )
        : finding("flattened", { fqdn, addresses }, { server }),
    );
  }
  if (route.kind === "alias") found.push(...besideAlias(subject, route, { observation, server }));
  if (answeredByWildcard(subject, route)) found.push(wildcardMatch(subject, true));
  return found;
}

function besideAlias(
  { apex, survey, zone, alias: wanted, ours }: Subject,
  { target, others, beside }: AliasRoute,
  { observation, server }: { readonly observation: Observation; readonly server: string },
): Finding[] {
  const foreign =
    others.length === 0 ? [] : [target, ...others].filter((one) => one !== survey.target);
  if (foreign.length > 0) {
    // Resolvers return one of them, or none.
    const facts = { wanted, types: ["CNAME", ...beside], others: firstFew(foreign) } as const;
    return [finding("cname_coexists", facts, { server })];
  }
  if (apex) {
    // It works although it is not allowed; it endangers mail, not the certificate.
    const alias = finding(
      "apex_needs_alias",
      { wanted, cname: true },
      { server, severity: "warning" },
    );
    return survey.apexHasMail === true
      ? [alias, finding("apex_cname_breaks_mail", { zone }, { server })]
      : [alias];
  }
  const [first, ...rest] = beside;
  if (first === undefined) return [];
  const { a, aaaa } = observation.view;
  const strays = [a, aaaa].some(
    (answer) =>
      answer.kind === "found" &&
      answer.aliases.length === 0 &&
      answer.records.some((address) => !ours.has(address)),
  );
  const severity = strays ? "blocking" : "warning";
  return [finding("cname_coexists", { wanted, types: [first, ...rest] }, { server, severity })];
}

/** A random sibling name has the same answer, so the name has no record of its own. */
function answeredByWildcard({ survey, apex }: Subject, route: Route): boolean {
  // A wildcard never applies to a zone apex (RFC 4592 §2.2).
  if (apex) return false;
  const { a } = survey.wildcard;
  const [alias] = a.aliases;
  if (route.kind === "alias") return alias?.target === route.target;
  if (route.kind !== "addresses" || alias !== undefined) return false;
  const sibling = recordsOf(a);
  return (
    route.a.length > 0 &&
    route.a.length === sibling.length &&
    route.a.every((one) => sibling.includes(one))
  );
}

function wildcardMatch(
  { survey, alias }: Subject,
  leadsHere: boolean,
): FindingOf<"wildcard_match"> {
  const { name } = survey.wildcard;
  const wildcard = `*${name.slice(name.indexOf("."))}`;
  return finding("wildcard_match", { wildcard, wanted: alias, leadsHere });
}
