import { type Clock, SECOND_MS } from "../../lib/base/clock.ts";
import type { Eventual } from "../../lib/base/eventual.ts";
import type { Answer, DataOf, RecordType } from "../model/answer.ts";
import { isAtOrBelow, type PublicSuffixes } from "../model/hostname.ts";
import type { Zone, ZoneSearch } from "../model/survey.ts";
import type { DirectAnswer, Resolver, Within } from "../ports/resolver.ts";
import { firstKnown } from "./resolver.ts";
import type { Vantages } from "./vantages.ts";

/** The check that asks. */
export interface AskingCheck {
  /** The checked name: questions for it and for names below it are never shared. */
  readonly hostname: string;
  /** When the check became due, by the clock of the vantages: answers to earlier questions may be outdated. */
  readonly dueSince: number;
}

export interface SharedAnswersOptions {
  readonly vantages: Vantages;
  readonly clock: Clock;
  readonly suffixes: () => Eventual<PublicSuffixes>;
  /** The zone of our targets, which all have the same addresses. */
  readonly cnameTarget: string;
  /** The most answers of each kind that are kept. Default 4,096. */
  readonly max?: number;
}

/** How long an answer serves other checks. */
const SHARED_MS: number = 5 * SECOND_MS;
/** Limits for the question whether a name has a zone of its own: as for one referral of a zone search. */
const OWN_ZONE_TIME_MS: number = 2 * SECOND_MS;
const OWN_ZONE_SERVERS = 3;

/**
 * Lets checks of many names share answers about zones, the CAA records above a name, and our targets. A check gets an
 * answer of another one if the question was asked after the check became due, and at most five seconds ago. So whoever
 * corrects records and then requests a check sees the corrected records. Failures and absences are not shared, nor are
 * questions that are still open.
 */
export function createSharedAnswers({
  vantages: { resolvers, authorities },
  clock,
  suffixes,
  cnameTarget,
  max = 4_096,
}: SharedAnswersOptions): (check: AskingCheck) => Vantages {
  const zones = createKept<Found>(clock, max);
  const cached = createKept<Answer<unknown>>(clock, max);
  const direct = createKept<DirectAnswer<RecordType>>(clock, max);

  return ({ hostname, dueSince }) => {
    /** Returns what a question of several checks has in common; undefined if it is not shared. */
    const subjectOf = (name: string, type: RecordType): string | undefined => {
      if (isAtOrBelow(name, hostname)) return undefined;
      if (type === "CAA") return isAtOrBelow(hostname, name) ? name : undefined;
      return (type === "A" || type === "AAAA") && isTarget(name, cnameTarget) ? TARGET : undefined;
    };

    const sharing = (resolver: Resolver, index: number): Resolver => ({
      vantage: resolver.vantage,
      lookup: async (name, type, within) => {
        const subject = subjectOf(name, type);
        if (subject === undefined) return resolver.lookup(name, type, within);
        const key = `resolver ${index} ${type} ${subject}`;
        const known = cached.find(key, dueSince);
        if (known !== undefined) return ofType(type, aged(known.value, known.ageMs));
        const askedAt = clock.now();
        const answer = await resolver.lookup(name, type, within);
        if (isPlain(answer)) cached.add(key, askedAt, answer);
        return answer;
      },
    });
    const [first, ...others] = resolvers;

    /** Returns the zone that another check found for the parent name, unless the name has a zone of its own. */
    const knownZoneOf = async (key: string, within: Within): Promise<ZoneSearch | undefined> => {
      const known = zones.find(key, dueSince)?.value;
      if (known === undefined) return undefined;
      return (await isOwnZone(hostname, known.zone, within)) ? undefined : known;
    };

    const isOwnZone = async (name: string, zone: Zone, within: Within): Promise<boolean> => {
      const deadlineAt = Math.min(within.deadlineAt, clock.now() + OWN_ZONE_TIME_MS);
      const soon = { ...within, deadlineAt };
      const [seen, ...said] = await Promise.all([
        firstKnown(resolvers, name, "NS", soon),
        ...zone.servers
          .slice(0, OWN_ZONE_SERVERS)
          .map(async (server) => (await authorities.ask(server, name, "NS", soon)).answer),
      ]);
      // An answer without authority may be a referral. Without any answer, the search has to find out more.
      return (
        (seen.kind === "found" && seen.aliases.length === 0) ||
        said.some((answer) => answer.kind === "found" || isReferral(answer)) ||
        !said.some(({ kind }) => kind === "absent")
      );
    };

    return {
      resolvers: [sharing(first, 0), ...others.map((one, index) => sharing(one, index + 1))],
      authorities: {
        zoneOf: async (name, within) => {
          const own = name === hostname;
          if (!own && isAtOrBelow(name, hostname)) return authorities.zoneOf(name, within);
          const target = isTarget(name, cnameTarget);
          const subject = own ? name.slice(name.indexOf(".") + 1) : target ? TARGET : name;
          const key = `zone ${subject}`;
          const known = own ? await knownZoneOf(key, within) : zones.find(key, dueSince)?.value;
          if (known !== undefined) return known;
          const askedAt = clock.now();
          const search = await authorities.zoneOf(name, within);
          if (search.kind !== "found" || search.doubtful === true) return search;
          const { apex } = search.zone;
          // The zone of a name that is not its apex is also that of the parent name. Below a registry's zone, whether a
          // name is delegated is what the check has to find out.
          const list = await suffixes();
          const ofParent = apex !== name && apex !== list.suffixOf(name, "icann");
          if (!own || ofParent) zones.add(key, askedAt, search);
          return search;
        },
        ask: async (server, name, type, within) => {
          const subject = subjectOf(name, type);
          if (subject === undefined) return authorities.ask(server, name, type, within);
          const key = `server ${server.address} ${type} ${subject}`;
          const known = direct.find(key, dueSince);
          if (known !== undefined) {
            return { ...known.value, answer: ofType(type, known.value.answer) };
          }
          const askedAt = clock.now();
          const said = await authorities.ask(server, name, type, within);
          if (isPlain(said.answer)) direct.add(key, askedAt, said);
          return said;
        },
      },
    };
  };
}

type Found = Extract<ZoneSearch, { readonly kind: "found" }>;

/** Stands for any of our targets. Not a name. */
const TARGET = "our target";

/** Whether the name is directly below the zone of our targets. */
function isTarget(name: string, cnameTarget: string): boolean {
  const dot = name.indexOf(".");
  return dot > 0 && name.slice(dot + 1) === cnameTarget;
}

/** Whether the answer consists of records of the name: an alias would repeat the name of one check to others. */
function isPlain({ kind, aliases }: Answer<unknown>): boolean {
  return kind === "found" && aliases.length === 0;
}

function isReferral(answer: Answer<unknown>): boolean {
  return answer.kind === "unknown" && answer.reason === "lame";
}

/** The type is part of the key of an answer. */
function ofType<Type extends RecordType>(
  _type: Type,
  answer: Answer<unknown>,
): Answer<DataOf[Type]> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return answer as Answer<DataOf[Type]>;
}

/** Resolvers' answers live shorter, the longer ago they were given. */
function aged<Data>(answer: Answer<Data>, ageMs: number): Answer<Data> {
  if (answer.kind === "unknown") return answer;
  const ttlSeconds = Math.max(0, answer.ttlSeconds - Math.ceil(ageMs / SECOND_MS));
  return { ...answer, ttlSeconds };
}

interface Kept<Value> {
  /** Returns a value that was asked for at `since` or later. */
  find(key: string, since: number): { readonly value: Value; readonly ageMs: number } | undefined;
  add(key: string, askedAt: number, value: Value): void;
}

/** Keeps the newest values for five seconds. */
function createKept<Value>(clock: Clock, max: number): Kept<Value> {
  // In the order of arrival, so that the first ones expire first.
  const entries = new Map<string, { readonly askedAt: number; readonly value: Value }>();
  const isFresh = (askedAt: number, now: number): boolean =>
    askedAt <= now && now - askedAt <= SHARED_MS;
  return {
    find: (key, since) => {
      const entry = entries.get(key);
      const now = clock.now();
      if (entry === undefined || entry.askedAt < since || !isFresh(entry.askedAt, now)) {
        return undefined;
      }
      return { value: entry.value, ageMs: now - entry.askedAt };
    },
    add: (key, askedAt, value) => {
      entries.delete(key);
      entries.set(key, { askedAt, value });
      const now = clock.now();
      for (const [oldest, entry] of entries) {
        if (entries.size <= max && isFresh(entry.askedAt, now)) break;
        entries.delete(oldest);
      }
    },
  };
}
