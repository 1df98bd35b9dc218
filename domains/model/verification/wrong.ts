import type { Finding } from "../finding.ts";
import { finding } from "../finding.ts";
import { differenceOf } from "../findings/difference.ts";
import { foreignIn } from "./destination.ts";
import { routeOf, type AddressRoute, type AliasRoute } from "./route.ts";
import { aliasType, lacksAlias, type Subject } from "./subject.ts";
import { answeredByWildcard, wildcardMatch } from "./wildcard.ts";
import type { Witness } from "./witness.ts";

/** What is wrong at a name that does not lead here, as one server tells it, and what to do. */
export function wrongFindings(subject: Subject, witness: Witness, server: string): Finding[] {
  const { route } = witness;
  if (answeredByWildcard(subject, route)) {
    // What is in the way cannot be deleted at the name: it is not there.
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
      return wrongAddresses(subject, route, { witness, server });
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
    // Whoever is known to have the type needs no second way.
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

/** For those who would try a CNAME record where there can be none. */
function mailWarning(subject: Subject): Finding[] {
  const { survey, apex, zone } = subject;
  // Where it is flattened, a CNAME record is the right one.
  return apex && survey.apexHasMail === true && aliasType(subject) !== "CNAME"
    ? [finding("apex_cname_breaks_mail", { zone })]
    : [];
}

function wrongAlias(subject: Subject, { target: observed }: AliasRoute, server: string): Finding[] {
  const { survey, alias, zone } = subject;
  const followed = survey.resolvers
    .map(routeOf)
    .find((route): route is AliasRoute => route.kind === "alias" && route.target === observed);
  // A record that leads to itself needs nobody to follow it; of other circles most resolvers only say that they fail.
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
    },
    { server },
  );
  return leadsNowhere(subject, observed)
    ? [mismatch, dangling(subject, chain.at(-1) ?? observed)]
    : [mismatch];
}

/**
 * All resolvers that know where that alias leads say that there is no address at its end. Somebody could take the
 * name; not so one in our own zone, which is only mistyped.
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
  { witness, server }: { readonly witness: Witness; readonly server: string },
): Finding[] {
  const { alias: wanted, ours, survey, facts } = subject;
  const { destination } = witness;
  const fqdn = survey.hostname;
  const all = [...route.a, ...route.aaaa];
  if (ours.dangling && facts.edgeAddresses.length === 0) {
    // Nothing to compare with: the fault is ours, whatever else there may be.
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
