import type { Zone, ZoneRecord } from "./zone.ts";

/** A server's answer before encoding. */
export interface Said {
  readonly rcode: number;
  readonly authoritative: boolean;
  readonly answers: readonly ZoneRecord[];
  readonly authorities: readonly ZoneRecord[];
}

const NXDOMAIN = 3;
const REFUSED = 5;

/** Returns the authoritative answer of a server with these zones (RFC 1034 §4.3.2). */
export function authoritativeAnswer(zones: readonly Zone[], name: string, type: string): Said {
  const zone = closest(zones, name, type);
  if (zone === undefined) {
    return { rcode: REFUSED, authoritative: false, answers: [], authorities: [] };
  }
  const cut = delegationOf(zone, name, type);
  if (cut.length > 0) return { rcode: 0, authoritative: false, answers: [], authorities: cut };
  const answers: ZoneRecord[] = [];
  let at = name;
  for (let hops = 0; hops < 20; hops++) {
    const here = recordsOf(zone, at);
    const wanted = here.filter((record) => record.type === type);
    if (wanted.length > 0) {
      return { rcode: 0, authoritative: true, answers: [...answers, ...wanted], authorities: [] };
    }
    const alias = aliasOf(zone, here, at, answers);
    if (alias === undefined) {
      const nothing = here.length === 0 && !exists(zone, at);
      return {
        rcode: nothing ? NXDOMAIN : 0,
        authoritative: true,
        answers,
        authorities: soa(zone),
      };
    }
    at = alias;
    if (!isBelow(at, zone.apex)) break;
  }
  return { rcode: 0, authoritative: true, answers, authorities: [] };
}

/** Returns the answer of a resolver that can reach all these zones. */
export function recursiveAnswer(zones: readonly Zone[], name: string, type: string): Said {
  const answers: ZoneRecord[] = [];
  let at = name;
  for (let hops = 0; hops < 20; hops++) {
    const said = authoritativeAnswer(zones, at, type);
    if (said.rcode === REFUSED) return { ...said, rcode: NXDOMAIN, answers };
    answers.push(...said.answers);
    const last = said.answers.at(-1);
    const goesOn = last?.type === "CNAME" && type !== "CNAME" && said.authorities.length === 0;
    if (!goesOn) return { ...said, authoritative: false, answers };
    at = last.data[0] ?? "";
  }
  return { rcode: 2, authoritative: false, answers: [], authorities: [] };
}

function closest(zones: readonly Zone[], name: string, type: string): Zone | undefined {
  // The parent zone answers for DS records of the zone below the cut (RFC 4035 §3.1.4.1).
  const fitting = zones.filter(
    ({ apex }) => isBelow(name, apex) && !(type === "DS" && apex === name),
  );
  return fitting.toSorted((a, b) => b.apex.length - a.apex.length)[0];
}

function delegationOf(zone: Zone, name: string, type: string): readonly ZoneRecord[] {
  const cuts = zone.records.filter(
    (record) =>
      record.type === "NS" &&
      record.name !== zone.apex &&
      isBelow(name, record.name) &&
      !(type === "DS" && record.name === name),
  );
  const lowest = cuts.toSorted((a, b) => b.name.length - a.name.length)[0];
  return cuts.filter((record) => record.name === lowest?.name);
}

/** Returns the records of a name, or those synthesized from a wildcard (RFC 4592 §3.3). */
function recordsOf(zone: Zone, name: string): readonly ZoneRecord[] {
  if (exists(zone, name)) return zone.records.filter((record) => record.name === name);
  let encloser = name;
  while (encloser !== "" && !exists(zone, encloser)) {
    encloser = encloser.includes(".") ? encloser.slice(encloser.indexOf(".") + 1) : "";
  }
  const stars = zone.records.filter((record) => record.name === `*.${encloser}`);
  return stars.map((record) => ({ ...record, name }));
}

/** Follows the alias at a name, if any, and adds it to the answers. */
function aliasOf(
  zone: Zone,
  here: readonly ZoneRecord[],
  name: string,
  answers: ZoneRecord[],
): string | undefined {
  const cname = here.find((record) => record.type === "CNAME");
  if (cname !== undefined) {
    answers.push(cname);
    return cname.data[0];
  }
  const dname = zone.records.find(
    (record) => record.type === "DNAME" && name.endsWith(`.${record.name}`),
  );
  if (dname === undefined) return undefined;
  const target = `${name.slice(0, -dname.name.length)}${dname.data[0] ?? ""}`;
  answers.push(dname, { name, type: "CNAME", ttl: dname.ttl, data: [target] });
  return target;
}

/** Returns true if the name has records, or a name below it has. */
function exists(zone: Zone, name: string): boolean {
  return zone.records.some((record) => isBelow(record.name, name));
}

function soa(zone: Zone): readonly ZoneRecord[] {
  return zone.records.filter(({ name, type }) => name === zone.apex && type === "SOA");
}

function isBelow(name: string, apex: string): boolean {
  return apex === "" || name === apex || name.endsWith(`.${apex}`);
}
