import type { RecordType } from "../../../domains/model/answer.ts";
import { isAtOrBelow } from "../../../domains/model/hostname.ts";

/** The types of records that the registrar offers. */
export const offeredTypes = ["CNAME", "A", "AAAA", "TXT", "MX", "CAA"] as const;
/** A type of record that the registrar offers. */
export type OfferedType = (typeof offeredTypes)[number];

/** A record of a zone. */
export interface ZoneRecord {
  /** The whole name in lower case, without the trailing dot. */
  readonly name: string;
  readonly type: OfferedType | "NS" | "SOA";
  /** The data as zone files have it, without trailing dots: `10 mail.shelter.org`, `0 issue "ca.org"`. */
  readonly value: string;
}

/** The records of a domain and everything below it, with SOA and NS records at its apex. */
export interface Zone {
  readonly apex: string;
  readonly records: readonly ZoneRecord[];
}

/** What a name server says to one question. */
export interface ServerAnswer {
  readonly code: "ok" | "missing" | "refused";
  readonly authoritative: boolean;
  readonly answers: readonly ZoneRecord[];
  readonly authorities: readonly ZoneRecord[];
}

/** Seconds for which an answer may be cached: changes are seen at once. */
export const TTL_SECONDS = 5;

/** More aliases than any correct chain has. */
const MAX_ALIASES = 16;

const REFUSED: ServerAnswer = {
  code: "refused",
  authoritative: false,
  answers: [],
  authorities: [],
};

/**
 * Answers as the authoritative server of all zones (RFC 1034 §4.3.2), or with `recursive` as a resolver that knows them and
 * no others: it follows aliases from zone to zone, and names outside of all zones do not exist.
 */
export function answerFrom(
  zones: readonly Zone[],
  { name, type }: { readonly name: string; readonly type: RecordType | undefined },
  recursive: boolean,
): ServerAnswer {
  const answers: ZoneRecord[] = [];
  let at = name;
  for (let aliases = 0; aliases <= MAX_ALIASES; aliases++) {
    const zone = zoneOf(zones, at);
    if (zone === undefined) {
      if (!recursive && answers.length === 0) return REFUSED;
      return said(recursive ? "missing" : "ok", recursive, answers);
    }
    const here = recordsAt(zone, at);
    const wanted = here?.filter((record) => record.type === type) ?? [];
    if (wanted.length > 0) return said("ok", recursive, [...answers, ...wanted]);
    const alias = here?.find((record) => record.type === "CNAME");
    if (alias === undefined) {
      return said(here === undefined ? "missing" : "ok", recursive, answers, apexSoa(zone));
    }
    answers.push(alias);
    at = alias.value.toLowerCase();
  }
  return said("ok", recursive, answers);
}

function said(
  code: ServerAnswer["code"],
  recursive: boolean,
  answers: readonly ZoneRecord[],
  authorities: readonly ZoneRecord[] = [],
): ServerAnswer {
  return { code, authoritative: !recursive, answers, authorities };
}

/** Returns the zone with the longest apex at or above a name. */
function zoneOf(zones: readonly Zone[], name: string): Zone | undefined {
  return zones
    .filter(({ apex }) => isAtOrBelow(name, apex))
    .toSorted((one, other) => other.apex.length - one.apex.length)[0];
}

/**
 * Returns the records of a name; those of a wildcard (RFC 4592 §3.3), under the asked name, if the name does not exist;
 * undefined without either.
 */
function recordsAt({ apex, records }: Zone, name: string): readonly ZoneRecord[] | undefined {
  const exists = (one: string): boolean =>
    one === apex || records.some((record) => isAtOrBelow(record.name, one));
  if (exists(name)) return records.filter((record) => record.name === name);
  let encloser = name;
  while (!exists(encloser)) encloser = encloser.slice(encloser.indexOf(".") + 1);
  const wildcard = records.filter((record) => record.name === `*.${encloser}`);
  return wildcard.length === 0 ? undefined : wildcard.map((record) => ({ ...record, name }));
}

function apexSoa({ apex, records }: Zone): readonly ZoneRecord[] {
  return records.filter(({ name, type }) => name === apex && type === "SOA");
}

/** The address of all servers. */
export const LOOPBACK = "127.0.0.1";

/** The only name server of all zones. */
export const NAME_SERVER = "ns1.registrar.localhost";

/** Returns a zone with its SOA and NS records. `serial` grows with each change. */
export function zoneWith(apex: string, own: readonly ZoneRecord[], serial: number): Zone {
  const soa = `${NAME_SERVER} hostmaster.registrar.localhost ${serial} 7200 900 1209600 ${TTL_SECONDS}`;
  return {
    apex,
    records: [
      { name: apex, type: "SOA", value: soa },
      { name: apex, type: "NS", value: NAME_SERVER },
      ...own,
    ],
  };
}
