import { SECOND_MS, type Clock } from "../../lib/base/clock.ts";
import { createGate, withTimeLimit, TIMED_OUT } from "../dns/gate.ts";
import type { OutsideView } from "../model/outside.ts";
import { mayAsk } from "./may-ask.ts";
import { pinnedGet, type PinnedAnswer } from "./pinned-get.ts";
import { PROBE_PREFIX, type Presence, type Riddle } from "./presence.ts";

/** What is to be looked at. */
export interface OutsideAsked {
  readonly name: string;
  /** As the DNS told them: others are never asked. */
  readonly addresses: readonly string[];
  /** Somebody else ends HTTPS for it, who may be asked by it too. */
  readonly proxied: boolean;
  /** Only what HTTPS leads to is asked for. Default false. */
  readonly secureAlone?: boolean;
  /** How long all of it may take, waiting for its turn included. Default 30 seconds. */
  readonly withinMs?: number;
}

/**
 * Looks at a name from outside, as a visitor and a CA come to it. Never an address that was not given, nor one of a
 * private network. What cannot be reached is a fact, not a failure: rejects with the signal's reason alone.
 */
export type LookFromOutside = (asked: OutsideAsked, signal: AbortSignal) => Promise<OutsideView>;

export interface LookOptions {
  readonly presence: Pick<Presence, "riddle">;
  readonly clock: Clock;
  /** Default false. */
  readonly allowPrivateNetworks?: boolean;
  /** Where this service is reached. Default 80 and 443; no redirect is followed to others. */
  readonly ports?: { readonly plain: number; readonly secure: number };
  /** So many names at a time. Default 8. */
  readonly concurrency?: number;
}

/** For one way to the name, redirects included. */
export const PATIENCE_MS: number = 5 * SECOND_MS;

/** For an address that does not answer, while there is another one. */
const ADDRESS_PATIENCE_MS: number = 2 * SECOND_MS;
const WITHIN_MS: number = 30 * SECOND_MS;
const MOST_REDIRECTS = 3;
const MAX_LOCATION = 2_048;

/** What is asked for next, at the same name and the same addresses. */
interface Hop {
  readonly secure: boolean;
  readonly target: string;
}

export function createLook({
  presence,
  clock,
  allowPrivateNetworks = false,
  ports = { plain: 80, secure: 443 },
  concurrency = 8,
}: LookOptions): LookFromOutside {
  const gate = createGate(concurrency);

  /** Asks one address after the other until one answers. Undefined: none did. */
  const reach = async (
    name: string,
    addresses: readonly string[],
    {
      hop,
      riddle,
      signal,
    }: { readonly hop: Hop; readonly riddle: Riddle; readonly signal: AbortSignal },
  ): Promise<PinnedAnswer | "refused" | "timeout"> => {
    const port = hop.secure ? ports.secure : ports.plain;
    let failure: "refused" | "timeout" = "refused";
    for (const [index, address] of addresses.entries()) {
      const ms = index < addresses.length - 1 ? ADDRESS_PATIENCE_MS : PATIENCE_MS;
      const answer = await withTimeLimit({ clock, ms, signal }, (inTime) =>
        pinnedGet({ name, address, port, ...hop }, Object.values(riddle.answers), inTime),
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
    const riddle = presence.riddle(name);
    let hop: Hop = { secure, target: `${PROBE_PREFIX}${riddle.token}` };
    const seen = new Set<string>();
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
      seen.add(keyOf(hop));
      const answer = await reach(name, addresses, { hop, riddle, signal });
      if (answer === "refused" || answer === "timeout") return { kind: answer };
      const { status, location, text } = answer;
      if (text.includes(riddle.answers.served)) return { kind: "us", circles: false };
      if (text.includes(riddle.answers.redirected)) return { kind: "us", circles: hop.secure };
      if (!isRedirect(status) || location === undefined) return { kind: "other", status };
      const next = nextHop(location, { name, hop, ports });
      if (next === undefined) return { kind: "other", status, location: location.slice(0, 200) };
      if (seen.has(keyOf(next))) return { kind: "circle" };
      hop = next;
    }
    return { kind: "circle" };
  };

  return async ({ name, addresses, proxied, secureAlone, withinMs = WITHIN_MS }, signal) => {
    const able = mayAsk(addresses, { allowPrivateNetworks });
    if (able.length === 0) return { kind: "unlooked" };
    const way = async (secure: boolean, inTime: AbortSignal): Promise<OutsideView> => {
      const view = await withTimeLimit({ clock, ms: PATIENCE_MS, signal: inTime }, (soon) =>
        follow(name, able, { secure, signal: soon }),
      );
      return view === TIMED_OUT ? { kind: "timeout" } : view;
    };
    const ways = secureAlone === true ? [true] : proxied ? [false, true] : [false];
    const views = await withTimeLimit({ clock, ms: withinMs, signal }, (inTime) =>
      gate.pass(() => Promise.all(ways.map((secure) => way(secure, inTime))), inTime),
    );
    return views === TIMED_OUT ? { kind: "unlooked" } : together(views);
  };
}

/** A CA comes by plain HTTP; HTTPS at a proxy is asked for circles alone. */
function together([plain = { kind: "unlooked" }, secure]: readonly OutsideView[]): OutsideView {
  const circles = secure?.kind === "circle" || (secure?.kind === "us" && secure.circles);
  if (!circles) return plain;
  return plain.kind === "us" ? { kind: "us", circles } : { kind: "circle" };
}

function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

/** Where a redirect leads, while that is the same name at a port of ours: a stranger's server says where. */
function nextHop(
  location: string,
  {
    name,
    hop,
    ports,
  }: {
    readonly name: string;
    readonly hop: Hop;
    readonly ports: NonNullable<LookOptions["ports"]>;
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
