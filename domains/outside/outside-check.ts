import { SECOND_MS, type Clock } from "../../lib/base/clock.ts";
import { createGate, withTimeLimit, TIMED_OUT } from "../dns/gate.ts";
import type { OutsideView } from "../model/outside.ts";
import { contactableAddresses } from "./contactable-addresses.ts";
import { pinnedGet, type PinnedAnswer } from "./pinned-get.ts";
import { PROBE_PREFIX, type Presence, type ProbeQuestion } from "./presence.ts";

/** The name to check. */
export interface OutsideRequest {
  readonly name: string;
  /** The addresses from DNS; only these are contacted. */
  readonly addresses: readonly string[];
  /** Another service terminates HTTPS for the name, so HTTPS is checked as well. */
  readonly proxied: boolean;
  /** Follows only HTTPS. Default false. */
  readonly httpsOnly?: boolean;
  /** Time limit in milliseconds, including waiting. Default 30 seconds. */
  readonly withinMs?: number;
}

/**
 * Checks a name from outside, as visitors and CAs reach it. Never contacts other addresses, nor private ones.
 * Unreachability is a result: rejects only with the signal's reason.
 */
export type CheckFromOutside = (asked: OutsideRequest, signal: AbortSignal) => Promise<OutsideView>;

/** Options of the check that a name is answered by this service. */
export interface OutsideCheckOptions {
  /** `presence` of `createDomains`, or of `createPresence`. */
  readonly presence: Pick<Presence, "question">;
  /** `systemClock`, or a clock of your own. */
  readonly clock: Clock;
  /** Default false. */
  readonly allowPrivateNetworks?: boolean;
  /** The ports of this service. Default 80 and 443; redirects to other ports are not followed. */
  readonly ports?: { readonly plain: number; readonly secure: number } | undefined;
  /** Most names checked at a time. Default 8. */
  readonly concurrency?: number;
}

/** Time limit for one protocol, including redirects. */
export const PROTOCOL_TIMEOUT_MS: number = 5 * SECOND_MS;

/** Time limit for an address while another one is left. */
const ADDRESS_TIMEOUT_MS: number = 2 * SECOND_MS;
const TOTAL_TIMEOUT_MS: number = 30 * SECOND_MS;
const MAX_REDIRECTS = 3;
const MAX_LOCATION = 2_048;

/** The next request, to the same name and addresses. */
interface Hop {
  readonly secure: boolean;
  readonly target: string;
}

export function createOutsideCheck({
  presence,
  clock,
  allowPrivateNetworks = false,
  ports = { plain: 80, secure: 443 },
  concurrency = 8,
}: OutsideCheckOptions): CheckFromOutside {
  const gate = createGate(concurrency);

  /** Tries the addresses in order until one responds. */
  const reach = async (
    name: string,
    addresses: readonly string[],
    {
      hop,
      question,
      signal,
    }: { readonly hop: Hop; readonly question: ProbeQuestion; readonly signal: AbortSignal },
  ): Promise<PinnedAnswer | "refused" | "timeout"> => {
    const port = hop.secure ? ports.secure : ports.plain;
    let failure: "refused" | "timeout" = "refused";
    for (const [index, address] of addresses.entries()) {
      const ms = index < addresses.length - 1 ? ADDRESS_TIMEOUT_MS : PROTOCOL_TIMEOUT_MS;
      const answer = await withTimeLimit({ clock, ms, signal }, (inTime) =>
        pinnedGet({ name, address, port, ...hop }, Object.values(question.answers), inTime),
      );
      if (answer === TIMED_OUT) failure = "timeout";
      else if (answer !== undefined) return answer;
    }
    return failure;
  };

  const follow = async (
    name: string,
    addresses: readonly string[],
    { secure, signal }: { readonly secure: boolean; readonly signal: AbortSignal },
  ): Promise<OutsideView> => {
    const question = presence.question(name);
    let hop: Hop = { secure, target: `${PROBE_PREFIX}${question.token}` };
    const seen = new Set<string>();
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      seen.add(keyOf(hop));
      const answer = await reach(name, addresses, { hop, question, signal });
      if (answer === "refused" || answer === "timeout") return { kind: answer };
      const { status, location, text } = answer;
      if (text.includes(question.answers.served)) return { kind: "us", circles: false };
      if (text.includes(question.answers.redirected)) return { kind: "us", circles: hop.secure };
      if (!isRedirect(status) || location === undefined) return { kind: "other", status };
      const next = nextHop(location, { name, hop, ports });
      if (next === undefined) return { kind: "other", status, location: location.slice(0, 200) };
      if (seen.has(keyOf(next))) return { kind: "circle" };
      hop = next;
    }
    return { kind: "circle" };
  };

  return async ({ name, addresses, proxied, httpsOnly, withinMs = TOTAL_TIMEOUT_MS }, signal) => {
    const able = contactableAddresses(addresses, { allowPrivateNetworks });
    if (able.length === 0) return { kind: "unlooked" };
    const checkProtocol = async (secure: boolean, inTime: AbortSignal): Promise<OutsideView> => {
      const view = await withTimeLimit({ clock, ms: PROTOCOL_TIMEOUT_MS, signal: inTime }, (soon) =>
        follow(name, able, { secure, signal: soon }),
      );
      return view === TIMED_OUT ? { kind: "timeout" } : view;
    };
    const ways = httpsOnly === true ? [true] : proxied ? [false, true] : [false];
    const views = await withTimeLimit({ clock, ms: withinMs, signal }, (inTime) =>
      gate.pass(() => Promise.all(ways.map((secure) => checkProtocol(secure, inTime))), inTime),
    );
    return views === TIMED_OUT ? { kind: "unlooked" } : merged(views);
  };
}

/** CAs use plain HTTP first; HTTPS at a proxy is only checked for redirect loops. */
function merged([plain = { kind: "unlooked" }, secure]: readonly OutsideView[]): OutsideView {
  const circles = secure?.kind === "circle" || (secure?.kind === "us" && secure.circles);
  if (!circles) return plain;
  return plain.kind === "us" ? { kind: "us", circles } : { kind: "circle" };
}

function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

/**
 * Returns the redirect's target if it is the same name on one of our ports; the redirect comes from an untrusted
 * server.
 */
function nextHop(
  location: string,
  {
    name,
    hop,
    ports,
  }: {
    readonly name: string;
    readonly hop: Hop;
    readonly ports: NonNullable<OutsideCheckOptions["ports"]>;
  },
): Hop | undefined {
  if (location.length > MAX_LOCATION) return undefined;
  const port = hop.secure ? ports.secure : ports.plain;
  const base = `${hop.secure ? "https" : "http"}://${name}:${port}${hop.target}`;
  const url = URL.canParse(location, base) ? new URL(location, base) : undefined;
  if (url === undefined || url.hostname !== name) return undefined;
  if (url.username !== "" || url.password !== "") return undefined;
  if (url.protocol !== "http:" && url.protocol !== "https:") return undefined;
  const secure = url.protocol === "https:";
  const expected = secure ? ports.secure : ports.plain;
  const given = url.port === "" ? (secure ? 443 : 80) : Number(url.port);
  return given === expected ? { secure, target: `${url.pathname}${url.search}` } : undefined;
}

function keyOf({ secure, target }: Hop): string {
  return `${secure ? "https" : "http"} ${target}`;
}
