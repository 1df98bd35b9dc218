import { SECOND_MS, type Clock } from "../../lib/base/clock.ts";
import { hex } from "../../lib/base/digest.ts";
import type { Random } from "../../lib/base/id.ts";
import { unknown, type Answer, type DataOf, type RecordType, type Found } from "../model/answer.ts";
import type { Hostname } from "../model/hostname.ts";
import { isPublicAddress } from "../model/public-address.ts";
import {
  internalVantage,
  type Survey,
  type AuthoritativeView,
  type NameServer,
  type NameView,
  type ResolverView,
  type ZoneSearch,
} from "../model/survey.ts";
import type { AuthoritativeServers, Resolver, Within } from "../ports/resolver.ts";
import { lookupCaa } from "./caa.ts";
import { checkSignatures } from "./own-validation.ts";
import { firstKnown, validatesBelow, type Resolvers } from "./resolver.ts";
import { parseServerAddress } from "./server-address.ts";

export interface SurveyOptions {
  /** The first four are used. */
  readonly resolvers: Resolvers;
  readonly authorities: AuthoritativeServers;
  readonly clock: Clock;
  readonly random: Random;
}

export interface SurveyRequest {
  readonly hostname: Hostname;
  /** The name that a CNAME should point to. */
  readonly target: string;
  /** The name of the ownership TXT record. */
  readonly ownershipName: string;
  readonly signal?: AbortSignal;
}

/** Time limit of a survey; leaves a second for the judgement within the verifier's ten. */
export const SURVEY_TIME_MS: number = 9 * SECOND_MS;
const MAX_RESOLVERS = 4;

/** The servers to query, and the time limit. */
interface Vantages {
  readonly resolvers: Resolvers;
  readonly authorities: AuthoritativeServers;
  readonly within: Within;
}

/**
 * Collects everything that verification needs to know about a name from all its authoritative servers and all
 * resolvers in parallel, without judging it. Rejects only with the signal's reason; whatever is missing when the
 * time is up is unknown.
 */
export async function takeSurvey(
  { signal, ...names }: SurveyRequest,
  { clock, random, authorities: guides, resolvers: configured }: SurveyOptions,
): Promise<Survey> {
  const { hostname, target } = names;
  const startedAt = clock.now();
  const deadlineAt = startedAt + SURVEY_TIME_MS;
  const within = { deadlineAt, group: names, ...(signal && { signal }) };
  const [first, ...others] = configured;
  const resolvers: Resolvers = [
    anonymized(first, 1),
    ...others.slice(0, MAX_RESOLVERS - 1).map((resolver, index) => anonymized(resolver, index + 2)),
  ];
  const authorities = cachingZones(guides);
  const vantages = { resolvers, authorities, within };
  const fromHere = { clock, within };
  const sibling = siblingOf(hostname, hex(random(new Uint8Array(8))));
  const challengeName = `_acme-challenge.${hostname}`;
  const [zone, view, views, ours, wildcard, challenge, caa] = await Promise.all([
    surveyZone(names, vantages),
    viewFromResolver(resolvers[0], names, fromHere),
    Promise.all(resolvers.slice(1).map((resolver) => viewFromResolver(resolver, names, fromHere))),
    surveyTarget(target, vantages),
    firstKnown(resolvers, sibling, "A", within),
    firstKnown(resolvers, challengeName, "CNAME", within),
    lookupCaa(hostname, { resolvers, authorities, clock }, within),
  ]);
  const seen = [view, ...views] as const;
  const signatures = isUnvalidated(zone.zone, seen)
    ? await checkSignatures(hostname, zone.zone.zone, { ...vantages, clock })
    : undefined;
  const finishedAt = clock.now();
  return {
    ...names,
    ...zone,
    ...ours,
    ...(signatures !== undefined && { signatures }),
    startedAt,
    finishedAt,
    resolvers: seen,
    wildcard: { name: sibling, a: wildcard },
    challenge: { name: challengeName, cname: challenge },
    ...caa,
    cutShort: finishedAt >= within.deadlineAt,
  };
}

/** The zone is signed, and no resolver validates, as far as they answered. */
function isUnvalidated(
  search: ZoneSearch,
  resolvers: readonly ResolverView[],
): search is Extract<ZoneSearch, { readonly kind: "found" }> {
  return (
    search.kind === "found" &&
    search.zone.signed &&
    !resolvers.some(({ validates }) => validates === true)
  );
}

/** Hides the address of a resolver in the operator's network behind its position in the configuration. */
function anonymized(resolver: Resolver, place: number): Resolver {
  const server = parseServerAddress(resolver.vantage);
  if (server === undefined || isPublicAddress(server.address)) return resolver;
  return { vantage: internalVantage(place), lookup: (...asked) => resolver.lookup(...asked) };
}

/** Caches zone searches, as several parts of a survey need the same zones. */
function cachingZones(authorities: AuthoritativeServers): AuthoritativeServers {
  const found = new Map<string, ReturnType<AuthoritativeServers["zoneOf"]>>();
  return {
    ask: (...asked) => authorities.ask(...asked),
    zoneOf: (name, within) => {
      const search = found.get(name) ?? authorities.zoneOf(name, within);
      found.set(name, search);
      return search;
    },
  };
}

type ZonePart = Pick<
  Survey,
  "zone" | "apex" | "apexHasMail" | "authoritative" | "doubled" | "negativeTtlSeconds"
>;

/** Queries the zone's servers, and the names that depend on where the zone begins. */
async function surveyZone(
  names: SurveyedNames,
  { resolvers, authorities, within }: Vantages,
): Promise<ZonePart> {
  const { hostname } = names;
  const zone = await authorities.zoneOf(hostname, within);
  // Without a zone, assume that the parent name was appended by mistake.
  const above = hostname.slice(hostname.indexOf(".") + 1);
  const apex = zone.kind === "found" ? zone.zone.apex : above;
  const servers = zone.kind === "found" ? zone.zone.servers : [];
  const doubledName = `${hostname}.${apex}`;
  const [views, mail, doubled] = await Promise.all([
    Promise.all(
      servers.map((server) => viewFromAuthority(server, apex, names, { authorities, within })),
    ),
    firstKnown(resolvers, apex, "MX", within),
    firstKnown(resolvers, doubledName, "CNAME", within),
  ]);
  const ttls = views.map(({ negativeTtlSeconds }) => negativeTtlSeconds);
  return {
    zone,
    apex: zone.kind === "found" && apex === hostname,
    apexHasMail: mail.kind === "unknown" ? undefined : mail.kind === "found",
    authoritative: views,
    doubled: { name: doubledName, cname: doubled },
    negativeTtlSeconds: Math.max(0, ...ttls),
  };
}

/** Looks up our target's addresses on the servers of its zone. */
async function surveyTarget(
  target: string,
  { authorities, within }: Vantages,
): Promise<Pick<Survey, "targetA" | "targetAaaa">> {
  const search = await authorities.zoneOf(target, within);
  if (search.kind !== "found") {
    const missing = unknown(search.kind === "unknown" ? search.reason : "unreachable");
    return { targetA: missing, targetAaaa: missing };
  }
  const { servers } = search.zone;
  const all = async (type: "A" | "AAAA") => {
    const given = servers.map((server) => authorities.ask(server, target, type, within));
    return mergeAnswers((await Promise.all(given)).map(({ answer }) => answer));
  };
  const [targetA, targetAaaa] = await Promise.all([all("A"), all("AAAA")]);
  return { targetA, targetAaaa };
}

/** Returns a random name beside `hostname`, or below it if its parent is a top-level domain. */
function siblingOf(hostname: string, label: string): string {
  const above = hostname.slice(hostname.indexOf(".") + 1);
  return above.includes(".") ? `${label}.${above}` : `${label}.${hostname}`;
}

/** The names that a survey examines. */
interface SurveyedNames {
  readonly hostname: string;
  readonly target: string;
  readonly ownershipName: string;
}

/** Queries all records that concern the name, in parallel. */
async function viewOf(
  { hostname, ownershipName }: SurveyedNames,
  ask: <Type extends RecordType>(name: string, type: Type) => Promise<Answered<Type>>,
): Promise<NameView> {
  const [cname, a, aaaa, ownership, caa, mx, https] = await Promise.all([
    ask(hostname, "CNAME"),
    ask(hostname, "A"),
    ask(hostname, "AAAA"),
    ask(ownershipName, "TXT"),
    ask(hostname, "CAA"),
    ask(hostname, "MX"),
    ask(hostname, "HTTPS"),
  ]);
  return { cname, a, aaaa, ownership, caa, mx, https };
}

type Answered<Type extends RecordType> = Answer<DataOf[Type]>;

/** Returns the names, and our target, as a resolver sees them. */
async function viewFromResolver(
  resolver: Resolver,
  names: SurveyedNames,
  { clock, within }: { readonly clock: Clock; readonly within: Within },
): Promise<ResolverView> {
  const startedAt = clock.now();
  const ask = <Type extends RecordType>(name: string, type: Type): Promise<Answered<Type>> =>
    resolver.lookup(name, type, within);
  const [view, targetA, targetAaaa, validates] = await Promise.all([
    viewOf(names, ask),
    ask(names.target, "A"),
    ask(names.target, "AAAA"),
    validatesBelow(resolver, names.hostname, within),
  ]);
  const at = clock.now();
  const { vantage } = resolver;
  return { ...view, vantage, at, targetA, targetAaaa, validates, roundTripMs: at - startedAt };
}

/** Returns the names as one server of the zone has them. */
async function viewFromAuthority(
  server: NameServer,
  apex: string,
  names: SurveyedNames,
  { authorities, within }: { readonly authorities: AuthoritativeServers; readonly within: Within },
): Promise<AuthoritativeView> {
  let roundTripMs = 0;
  const asked = async <Type extends RecordType>(name: string, type: Type) => {
    const own = await authorities.ask(server, name, type, within);
    roundTripMs = Math.max(roundTripMs, own.roundTripMs);
    return own;
  };
  const [view, head] = await Promise.all([
    viewOf(names, async (name, type) => (await asked(name, type)).answer),
    asked(apex, "SOA"),
  ]);
  const authority = head.answer.kind === "found" ? head.answer.records[0] : undefined;
  return {
    ...view,
    server,
    serial: authority?.serial,
    signed: head.signed,
    roundTripMs,
    negativeTtlSeconds: authority?.negativeTtlSeconds ?? 0,
  };
}

/**
 * Merges several servers' answers: the distinct records of all found sets; else an absence, if any; else the first
 * unknown.
 */
export function mergeAnswers(answers: readonly Answer<string>[]): Answer<string> {
  const found = answers.filter((answer): answer is Found<string> => answer.kind === "found");
  const [first, ...rest] = new Set(found.flatMap(({ records }) => records));
  if (first === undefined) {
    return answers.find(({ kind }) => kind === "absent") ?? answers[0] ?? unknown("timeout");
  }
  return {
    kind: "found",
    records: [first, ...rest],
    ttlSeconds: Math.min(...found.map(({ ttlSeconds }) => ttlSeconds)),
    aliases: found[0]?.aliases ?? [],
    authenticated: found.every(({ authenticated }) => authenticated),
  };
}
