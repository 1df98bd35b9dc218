import type { RecordType } from "./answer.ts";
import { firstFew, RECORD_TTL_SECONDS, typeAt } from "./findings/text.ts";
import type { WantedRecord } from "./finding-facts.ts";
import type { Ownership } from "./verification/ownership.ts";
import { addressKey, lacksAlias, type Subject } from "./verification/subject.ts";
import type { Routing } from "./verification/routing.ts";
import { valuesOf, type Observation, type Observations } from "./verification/observation.ts";

/** A row of the table of records for the owner. */
export interface RecordRow {
  readonly purpose: "routing" | "ownership";
  /** The domain does not work without it. False: one of several alternatives. */
  readonly required: boolean;
  readonly type: WantedRecord["type"];
  /** The type in the provider's terms, for example `ANAME`. */
  readonly typeText: string;
  /** Relative to the zone; `@` for the zone itself. */
  readonly name: string;
  readonly fqdn: string;
  readonly value: string;
  /** Seconds. */
  readonly ttl: number;
  readonly state: "missing" | "found" | "wrong" | "propagating" | "unknown";
  /** Existing values by server: the first few records, clipped. */
  readonly found: readonly FoundRecord[];
}

export interface FoundRecord {
  readonly server: string;
  readonly type: RecordType;
  readonly value: string;
  readonly ttlSeconds: number;
}

/** Returns the rows of all wanted records, with the existing values. */
export function recordRows(
  subject: Subject,
  observations: Observations,
  { routing, ownership }: { readonly routing: Routing; readonly ownership: Ownership },
): readonly RecordRow[] {
  const all = [...observations.authorities, ...observations.resolvers];
  const seen = all.flatMap(routesSeen);
  const byAddress = lacksAlias(subject) && subject.addresses.length > 0;
  const rows = [
    row(subject.alias, {
      required: !byAddress,
      state: routingStates[routing.readiness],
      found: seen,
    }),
    ...subject.addresses.map((wanted) => {
      const found = seen.filter(({ type }) => type === wanted.type);
      const there = found.some(({ value }) => addressKey(value) === addressKey(wanted.value));
      const state = there ? "found" : routing.readiness === "unknown" ? "unknown" : "missing";
      return row(wanted, { required: byAddress, state, found });
    }),
  ];
  if (ownership.reasons.length === 0 && ownership.state !== "proven") return rows;
  const proof = row(subject.ownership, {
    required: ownership.reasons.length > 0,
    state: ownershipState(ownership),
    found: all.flatMap(ownershipSeen),
  });
  return [...rows, { ...proof, purpose: "ownership" }];
}

const routingStates: Readonly<Record<Routing["readiness"], RecordRow["state"]>> = {
  here: "found",
  settling: "propagating",
  elsewhere: "wrong",
  nowhere: "missing",
  unknown: "unknown",
};

function ownershipState({ state, readiness }: Ownership): RecordRow["state"] {
  if (readiness === "settling") return "propagating";
  switch (state) {
    case "proven":
      return "found";
    case "mismatch":
      return "wrong";
    case "missing":
    case "unknown":
      return state;
    default:
      return state satisfies never;
  }
}

function row(
  wanted: WantedRecord,
  rest: Pick<RecordRow, "required" | "state" | "found">,
): RecordRow {
  const { type, name, fqdn, value } = wanted;
  return {
    purpose: "routing",
    type,
    typeText: typeAt(wanted),
    name,
    fqdn,
    value,
    ttl: RECORD_TTL_SECONDS,
    ...rest,
  };
}

function routesSeen(observation: Observation): readonly FoundRecord[] {
  const { server, route } = observation;
  if (route.kind === "unknown" || route.kind === "nothing") return [];
  const { ttlSeconds } = route;
  return firstFew(valuesOf(observation)).map((value) => {
    const type = route.kind === "alias" ? "CNAME" : value.includes(":") ? "AAAA" : "A";
    return { server, type, value, ttlSeconds };
  });
}

function ownershipSeen({ server, view: { ownership } }: Observation): readonly FoundRecord[] {
  if (ownership.kind !== "found") return [];
  const { ttlSeconds } = ownership;
  return firstFew(ownership.records).map((value) => ({ server, type: "TXT", value, ttlSeconds }));
}
