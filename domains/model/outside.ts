import { finding, type Finding } from "./finding.ts";

/** Who answered when the name was asked for at the addresses that the DNS gives for it, as visitors do. */
export type OutsideView =
  /** This service. `circles`: over HTTPS it would send visitors on to where they are. */
  | { readonly kind: "us"; readonly circles: boolean }
  /** Somebody else, with that status; `location` is where they send visitors. */
  | { readonly kind: "other"; readonly status: number; readonly location?: string }
  /** It redirects in a circle, or on and on. */
  | { readonly kind: "circle" }
  /** Nobody takes connections there, or they break. */
  | { readonly kind: "refused" }
  | { readonly kind: "timeout" }
  /** Nobody looked: there is no address that may be asked, or no time. */
  | { readonly kind: "unlooked" };

/** How a domain is reached from outside; only there while its DNS leads here. */
export interface OutsideFacts {
  /** As the DNS told them at the last look at it: no other ones are ever asked. */
  readonly addresses: readonly string[];
  /** Since when somebody is to look. */
  readonly wantedAt?: number;
  readonly seen?: OutsideView;
}

/** An address of each kind is asked: the others are told by the DNS to be the same. */
const MOST_KEPT = 16;

/** The DNS leads here: somebody is to look. What was seen before is shown until then. */
export function wanted(
  before: OutsideFacts | undefined,
  addresses: readonly string[],
  now: number,
): OutsideFacts {
  return {
    addresses: addresses.slice(0, MOST_KEPT),
    wantedAt: now,
    ...(before?.seen === undefined ? {} : { seen: before.seen }),
  };
}

/** True when this service answers; undefined when that was not learned, which is not the same as "no". */
export function answersHere(view: OutsideView): boolean | undefined {
  switch (view.kind) {
    case "us":
      return true;
    case "other":
      // A proxy that cannot reach whoever is behind it today says nothing of who that is.
      return view.status >= 500 ? undefined : false;
    case "circle":
      return false;
    case "refused":
    case "timeout":
    case "unlooked":
      return undefined;
    default:
      return view satisfies never;
  }
}

/** What is to be said of it; nothing where all is well, or nobody looked. */
export function outsideFinding(
  hostname: string,
  view: OutsideView,
  network?: string,
): Finding | undefined {
  switch (view.kind) {
    case "us":
      return view.circles ? circle(hostname, network) : undefined;
    case "circle":
      return circle(hostname, network);
    case "other":
    case "refused":
    case "timeout":
      return finding("http01_unreachable", { url: `http://${hostname}/`, message: wordsOf(view) });
    case "unlooked":
      return undefined;
    default:
      return view satisfies never;
  }
}

function circle(hostname: string, network: string | undefined): Finding {
  return finding("redirect_loop_at_proxy", {
    hostname,
    ...(network === undefined ? {} : { network }),
  });
}

function wordsOf(view: Extract<OutsideView, { kind: "other" | "refused" | "timeout" }>): string {
  switch (view.kind) {
    case "other":
      return view.location === undefined
        ? `another server answers, with status ${view.status}`
        : `another server answers and redirects to ${view.location}`;
    case "refused":
      return "connections are refused or closed";
    case "timeout":
      return "no answer within five seconds";
  }
}
