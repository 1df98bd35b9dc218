import { Packet } from "dns2";

/** A record in the form of a zone file, with an optional TTL: `pets 300 CNAME www.shelter.org`. */
export type Line = string;

export interface ZoneRecord {
  readonly name: string;
  readonly type: string;
  readonly ttl: number;
  readonly data: readonly string[];
}

/** The records of a zone. SOA and NS records are added if missing. */
export interface Zone {
  readonly apex: string;
  readonly records: readonly ZoneRecord[];
}

export interface ZoneOptions {
  readonly apex: string;
  readonly lines: readonly Line[];
  /** NS names. */
  readonly servers: readonly string[];
  readonly serial?: number;
  /** The TTL of negative answers. Default 300. */
  readonly negativeTtl?: number;
}

export function zone({ apex, lines, servers, serial = 1, negativeTtl = 300 }: ZoneOptions): Zone {
  const own = lines.map((line) => parse(line, apex));
  const has = (type: string): boolean =>
    own.some((record) => record.name === apex && record.type === type);
  const at = (type: string, data: readonly string[]): ZoneRecord => ({
    name: apex,
    type,
    ttl: 3_600,
    data,
  });
  const soa = [servers[0] ?? apex, `admin.${apex}`, serial, 7_200, 900, 1_209_600, negativeTtl];
  return {
    apex,
    records: [
      ...(has("SOA") ? [] : [at("SOA", soa.map(String))]),
      ...(has("NS") ? [] : servers.map((server) => at("NS", [server]))),
      ...own,
    ],
  };
}

function parse(line: Line, apex: string): ZoneRecord {
  const [label = "@", ...words] = line.trim().split(/\s+/);
  const ttl = /^\d+$/.test(words[0] ?? "") ? Number(words.shift()) : 3_600;
  const [type = "", ...data] = words;
  const name = label === "@" ? apex : apex === "" ? label : `${label}.${apex}`;
  return { name: name.toLowerCase(), type, ttl, data };
}

/** The type numbers, including those unknown to the codec. */
export const TYPES: Readonly<Record<string, number>> = {
  ...Packet.TYPE,
  DNAME: 39,
  DS: 43,
  HTTPS: 65,
};

type Resource = InstanceType<typeof Packet.Resource>;

/** Returns a record in the codec's form. `ttl` replaces its own. */
export function resource({ name, type, ttl: own, data }: ZoneRecord, ttl: number = own): Resource {
  const [first = "", second = "", ...rest] = data;
  const base = { name, type: TYPES[type] ?? 0, class: 1, ttl };
  switch (type) {
    case "A":
    case "AAAA":
      return new Packet.Resource({ ...base, address: first });
    case "CNAME":
      return new Packet.Resource({ ...base, domain: first });
    case "NS":
      return new Packet.Resource({ ...base, ns: first });
    case "MX":
      return new Packet.Resource({ ...base, priority: Number(first), exchange: second });
    case "TXT":
      return new Packet.Resource({ ...base, data: [...data] });
    case "CAA":
      return new Packet.Resource({
        ...base,
        flags: Number(first),
        tag: second,
        value: rest.join(" "),
      });
    case "SOA": {
      const [serial = 0, refresh = 0, retry = 0, expiration = 0, minimum = 0] = rest.map(Number);
      return new Packet.Resource({
        ...base,
        primary: first,
        admin: second,
        serial,
        refresh,
        retry,
        expiration,
        minimum,
      });
    }
    case "DNAME":
      return new Packet.Resource({ ...base, data: Packet.Name.encode(first) });
    default:
      // Other types are given as octets in hexadecimal.
      return new Packet.Resource({ ...base, data: Buffer.from(first, "hex") });
  }
}
