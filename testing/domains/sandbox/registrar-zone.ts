import { isIP } from "node:net";

import { done, refused, type Result } from "../../../lib/base/result.ts";
import { offeredTypes, zoneWith, type OfferedType, type Zone } from "./zones.ts";

/** A record as the registrar's customer enters it. */
export interface EnteredRecord {
  /** Relative to the domain: `www`, or `@` for the domain itself. The domain is appended to anything else, as registrars do. */
  readonly label: string;
  readonly type: OfferedType;
  readonly value: string;
}

/** A record that the registrar has. */
export interface KeptRecord extends EnteredRecord {
  readonly id: number;
}

/** Why the registrar does not take a record. It does not know what the record is for. */
export type RecordFault =
  | "label"
  | "address"
  | "target"
  | "text"
  | "mail"
  | "authority"
  | "beside_alias"
  | "full";

/** The domain that the registrar's only customer has, and its records. */
export interface RegistrarZone {
  readonly apex: string;
  /** Oldest first. */
  readonly records: readonly KeptRecord[];
  readonly zone: Zone;
  add(record: EnteredRecord): Result<KeptRecord, RecordFault>;
  /** Changes a record; adds it if it was removed meanwhile. */
  replace(id: number, record: EnteredRecord): Result<KeptRecord, RecordFault>;
  remove(id: number): void;
  /** Removes the records at a whole name. */
  clear(name: string): void;
}

const MAX_RECORDS = 50;
const MAX_TEXT = 500;

/** Creates the zone of a domain with its first records, which must be valid. */
export function createRegistrarZone(apex: string, first: readonly EnteredRecord[]): RegistrarZone {
  let records: readonly KeptRecord[] = [];
  let lastId = 0;
  let serial = 1;
  let zone = zoneWith(apex, [], serial);

  const keep = (next: readonly KeptRecord[]): void => {
    records = next;
    serial++;
    const written = records.map(({ label, type, value }) => ({
      name: fullName(label, apex),
      type,
      value,
    }));
    zone = zoneWith(apex, written, serial);
  };

  const put = (
    others: readonly KeptRecord[],
    id: number,
    entered: EnteredRecord,
  ): Result<KeptRecord, RecordFault> => {
    const record = { ...tidied(entered), id };
    const fault = faultOf(record, others, apex);
    if (fault !== undefined) return refused(fault);
    keep([...others, record].toSorted((one, other) => one.id - other.id));
    return done(record);
  };

  const self: RegistrarZone = {
    apex,
    get records() {
      return records;
    },
    get zone() {
      return zone;
    },
    add: (record) => put(records, ++lastId, record),
    replace: (id, record) =>
      put(
        records.filter((one) => one.id !== id),
        id,
        record,
      ),
    remove: (id) => keep(records.filter((one) => one.id !== id)),
    clear: (name) => keep(records.filter(({ label }) => fullName(label, apex) !== name)),
  };
  for (const record of first) self.add(record);
  return self;
}

/** Returns the whole name of a record: the domain is appended, as registrars do. */
export function fullName(label: string, apex: string): string {
  return label === "@" ? apex : `${label}.${apex}`;
}

function tidied({ label, type, value }: EnteredRecord): EnteredRecord {
  const name = label.trim().toLowerCase().replace(/\.$/, "");
  const text = value.trim();
  const isName = type === "CNAME" || type === "MX";
  return {
    label: name === "" ? "@" : name,
    type,
    value: isName ? text.toLowerCase().replace(/\.$/, "") : text,
  };
}

const LABEL = /^(?:\*\.)?(?:[\w-]{1,63}\.)*[\w-]{1,63}$/;
const MAIL = /^\d{1,5} (\S+)$/;
const AUTHORITY = /^(?:0|128) (?:issue|issuewild|iodef) "[\x20-\x21\x23-\x7e]{0,200}"$/;

function faultOf(
  { label, type, value }: EnteredRecord,
  others: readonly EnteredRecord[],
  apex: string,
): RecordFault | undefined {
  const name = fullName(label, apex);
  if (label !== "@" && (!LABEL.test(label) || name.length > 253)) return "label";
  const here = others.filter((one) => one.label === label);
  // An alias stands alone at its name (RFC 1034 §3.6.2), and the domain itself has SOA and NS records.
  const alone = type === "CNAME" ? here.length === 0 && label !== "@" : !here.some(isAlias);
  if (!alone) return "beside_alias";
  if (others.length >= MAX_RECORDS) return "full";
  switch (type) {
    case "CNAME":
      return isTarget(value) ? undefined : "target";
    case "A":
      return isIP(value) === 4 ? undefined : "address";
    case "AAAA":
      return isIP(value) === 6 && !value.includes("%") ? undefined : "address";
    case "MX":
      return isTarget(MAIL.exec(value)?.[1] ?? "") ? undefined : "mail";
    case "CAA":
      return AUTHORITY.test(value) ? undefined : "authority";
    case "TXT":
      return value !== "" && value.length <= MAX_TEXT ? undefined : "text";
  }
}

function isAlias({ type }: EnteredRecord): boolean {
  return type === "CNAME";
}

function isTarget(name: string): boolean {
  return name.length <= 253 && LABEL.test(name) && !name.startsWith("*");
}

/** Reads the type of a record in a form. */
export function typeIn(text: string): OfferedType | undefined {
  return offeredTypes.find((one) => one === text);
}
