import type { ServerAddress } from "../../../domains/dns/server-address.ts";
import { systemClock, type Clock } from "../../../lib/base/clock.ts";
import {
  aClock,
  aCount,
  checkOptions,
  type Expectation,
  optional,
} from "../../../lib/base/options.ts";
import { startAuthority } from "./certificate-authority.ts";
import { startNameServer } from "./name-server.ts";
import {
  createRegistrarZone,
  typeIn,
  type RecordFault,
  type RegistrarZone,
} from "./registrar-zone.ts";
import { visitPlainly } from "./visit.ts";
import { LOOPBACK, NAME_SERVER, zoneWith, type Zone } from "./zones.ts";

/** Options of the sandbox. */
export interface SandboxOptions {
  /**
   * The DNS zones by domain, such as `{ "my-shop.example": "*.cname A 127.0.0.1" }`. A zone has a record on each line: a name
   * relative to the domain, or `@` for the domain itself, then the type and the value. `#` begins a comment. The types are A,
   * AAAA, CAA, CNAME, MX and TXT. At most 50 records each.
   */
  readonly zones: Readonly<Record<string, string>>;
  /** The port of your listener for plain HTTP on 127.0.0.1, where the CA reads the proofs of `http-01`. */
  readonly httpPort: number;
  /** The clock of the CA. Default: the system's. */
  readonly clock?: Clock;
}

/** A name server and a CA on the loopback interface, for trying custom domains without the Internet. */
export interface Sandbox {
  /** The address of the name server: one of the `resolvers` of `createDomains`. It knows the zones, and no other names. */
  readonly resolver: ServerAddress;
  /** Returns the port of the name server at any address: the option `portOf` of `createDomains`. */
  readonly portOf: () => number;
  /** The address of the CA's ACME directory (RFC 8555 §7.1.1). */
  readonly directoryUrl: string;
  /** The CA's root certificate, in PEM. It signs the certificates and the CA's own listener, and differs at each start. */
  readonly root: string;
  /** Replaces the records of a zone. Throws a `TypeError` that names the first wrong line, or the unknown domain. */
  setZone(domain: string, records: string): void;
  /** Ends both servers. */
  close(): Promise<void>;
}

const someZones: Expectation = {
  what: "an object of zones, such as { 'my-shop.example': '*.cname A 127.0.0.1' }",
  holds: (value) =>
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((text) => typeof text === "string"),
};

/**
 * Starts a name server with the given zones, and a CA that issues certificates by ACME for names that prove themselves by
 * `http-01`. Both listen on free ports of 127.0.0.1. For laptops and tests: give `createDomains` the option
 * `allowPrivateNetworks`. Throws a `TypeError` for wrong options or records.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  checkOptions("startSandbox", options, {
    zones: someZones,
    httpPort: aCount(1),
    clock: optional(aClock),
  });
  const { httpPort, clock = systemClock } = options;
  const kept = new Map<string, Zone>();
  for (const [domain, records] of Object.entries(options.zones)) {
    kept.set(domain, zoneIn(domain, records));
  }
  // The name of the name server must have an address too.
  const own = zoneWith("localhost", [{ name: NAME_SERVER, type: "A", value: LOOPBACK }], 1);
  const zones = (): readonly Zone[] => [own, ...kept.values()];
  const dns = await startNameServer(zones);
  const authority = await startAuthority({
    clock,
    visit: (name, target) => visitPlainly(zones(), httpPort, { name, target }),
  });
  return {
    resolver: { address: LOOPBACK, port: dns.port },
    portOf: () => dns.port,
    directoryUrl: authority.directoryUrl,
    root: authority.root,
    setZone: (domain, records) => {
      if (!kept.has(domain)) {
        throw new TypeError(
          `The sandbox has no zone ${domain}, only ${[...kept.keys()].join(", ")}.`,
        );
      }
      kept.set(domain, zoneIn(domain, records));
    },
    close: async () => {
      await authority.close();
      await dns.close();
    },
  };
}

const FAULTS: Readonly<Record<RecordFault, string>> = {
  label: "the name is not relative to the domain, or not valid",
  address: "the value is no IP address",
  target: "the value is no host name",
  text: "the text is empty or longer than 500 characters",
  mail: "the value must look like 10 mail.example.org",
  authority: 'the value must look like 0 issue "ca.example"',
  beside_alias:
    "a name with a CNAME record has no other records, and the domain itself cannot have one",
  full: "the zone has 50 records, which is the most",
};

/** Reads the records of a zone. Throws a `TypeError` that names the first wrong line. */
function zoneIn(domain: string, text: string): Zone {
  const zone: RegistrarZone = createRegistrarZone(domain, []);
  for (const [index, line] of text.split("\n").entries()) {
    const [, label = "", type = "", value = ""] = /^\s*(\S+)\s+(\S+)\s+(.+?)\s*$/.exec(line) ?? [];
    if (line.trim() === "" || line.trim().startsWith("#")) continue;
    const wrong = (why: string): TypeError =>
      new TypeError(`Line ${index + 1} of the zone ${domain}, "${line.slice(0, 100)}": ${why}.`);
    const known = typeIn(type);
    if (known === undefined) {
      throw wrong("a record is a name, a type and a value, such as pets A 192.0.2.1");
    }
    const added = zone.add({ label, type: known, value });
    if (!added.ok) throw wrong(FAULTS[added.failure]);
  }
  return zone.zone;
}
