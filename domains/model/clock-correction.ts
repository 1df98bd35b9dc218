import { MAX_SKEW_MS } from "./clock-skew.ts";
import type { ActiveCertificate, Domain } from "./domain.ts";

/**
 * What a number of a domain is. `past`: when something happened, so it is never later than now; `wait`: when something is
 * due, counted from such an event; `foreign`: an instant by another clock, such as a CA's; `amount`: no instant.
 */
type Kind = "past" | "wait" | "foreign" | "amount";

/** All numbers in a value at any depth, each with its kind. A member without numbers has no entry. */
type Kinds<Value> = [Value] extends [number]
  ? Kind
  : [Value] extends [readonly (infer Item)[]]
    ? Kinds<Item>
    : {
        readonly [
          Name in NamesOf<Value> as true extends HasNumber<MemberOf<Value, Name>> ? Name : never
        ]-?: Kinds<NonNullable<MemberOf<Value, Name>>>;
      };
/** The names in all variants of a union. */
type NamesOf<Value> = Value extends unknown ? keyof Value : never;
type MemberOf<Value, Name> = Value extends unknown
  ? Name extends keyof Value
    ? Value[Name]
    : never
  : never;
/** Whether a value contains a number that is not one of a closed list. */
type HasNumber<Value> = Value extends number
  ? number extends Value
    ? true
    : false
  : Value extends readonly (infer Item)[]
    ? HasNumber<Item>
    : Value extends object
      ? { readonly [Name in keyof Value]-?: HasNumber<NonNullable<Value[Name]>> }[keyof Value]
      : false;

/** The compiler refuses a number of `Domain` that has no entry here. */
const kinds: Kinds<Domain> = {
  hstsSeconds: "amount",
  addedAt: "past",
  gates: { seenAt: "past", lapsedAt: "past", stoppedAt: "past", deletedAt: "past" },
  watch: { since: "past" },
  dns: { checkedAt: "past", passedAt: "past", eta: "wait" },
  heldSince: "past",
  claim: { since: "past", until: "wait" },
  lostAt: "past",
  issuance: {
    attempts: "amount",
    failures: "amount",
    tallies: { failures: "amount" },
    failedAt: "past",
    failure: { at: "past", until: "wait" },
    skipped: { until: "wait" },
    notBefore: "wait",
    order: { openedAt: "past", resumeAt: "wait" },
    granted: { resumeAt: "wait" },
    stalledAt: "past",
    replaced: { at: "past" },
  },
  certificate: {
    notBefore: "foreign",
    notAfter: "foreign",
    renewAt: "wait",
    activeSince: "past",
    ownSince: "foreign",
    signerAheadMs: "amount",
    replace: { at: "wait" },
    renewal: { checkAt: "wait", window: { start: "foreign", end: "foreign" } },
    warnedAt: "past",
    endedToldAt: "past",
    probedAt: "past",
    unservable: { at: "past" },
  },
  liveSince: "past",
  look: { at: "past", foundAt: "past" },
  drift: {
    since: "past",
    lookedAt: "past",
    looks: "amount",
    seenMs: "amount",
    stage: { at: "past" },
  },
  outside: { wantedAt: "past", seen: { status: "amount" } },
  removal: { at: "past" },
  revocation: { since: "past", resumeAt: "wait", notAfter: "foreign" },
  version: "amount",
};

/**
 * Corrects a domain that was written while the clock was ahead. If it contains past events later than `now`, its
 * waits would last until then, so all its instants move back by the difference. The certificate's own dates stay.
 * If `now` is the CA's time, the certificate's arrival moves back to its `notBefore` at most, so that a certificate
 * from before the clock error is not renewed early.
 */
export function clockCorrected(domain: Domain, now: number, timeKnown: boolean): Domain {
  const byMs = Math.max(...pastInstants(domain, kinds)) - now;
  if (byMs <= MAX_SKEW_MS) return domain;
  const moved = movedBack(domain, kinds, byMs);
  const { certificate } = domain;
  if (certificate === undefined) return moved;
  const { notBefore, activeSince } = certificate;
  const lateMs = timeKnown ? Math.min(byMs, Math.max(0, activeSince - notBefore)) : byMs;
  return {
    ...moved,
    certificate: arrivedEarlier(certificate, moved.certificate ?? certificate, lateMs),
  };
}

/** Moves the arrival of a certificate back, and its renewal by as much. */
function arrivedEarlier(
  { activeSince, renewAt, signerAheadMs }: ActiveCertificate,
  moved: ActiveCertificate,
  lateMs: number,
): ActiveCertificate {
  return {
    ...moved,
    activeSince: activeSince - lateMs,
    renewAt: renewAt - lateMs,
    ...(signerAheadMs !== undefined && { signerAheadMs: signerAheadMs + lateMs }),
  };
}

/** `Kinds` of any value, for the functions that walk through it. */
type AnyKinds = Kind | { readonly [name: string]: AnyKinds };

function pastInstants(value: unknown, of: AnyKinds): readonly number[] {
  if (Array.isArray(value)) return value.flatMap((item) => pastInstants(item, of));
  if (typeof of === "string") return typeof value === "number" && of === "past" ? [value] : [];
  if (typeof value !== "object" || value === null) return [];
  const members = new Map(Object.entries(value));
  return Object.entries(of).flatMap(([name, kind]) => pastInstants(members.get(name), kind));
}

function movedBack<Value>(value: Value, of: AnyKinds, byMs: number): Value;
function movedBack(value: unknown, of: AnyKinds, byMs: number): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => movedBack(item, of, byMs));
  if (typeof of === "string") {
    const moves = of === "past" || of === "wait";
    return typeof value === "number" && moves ? value - byMs : value;
  }
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, member]: [string, unknown]) => {
    const kind = of[name];
    return [name, kind === undefined ? member : movedBack(member, kind, byMs)] as const;
  });
  return Object.fromEntries(members);
}
