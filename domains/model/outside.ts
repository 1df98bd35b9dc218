import { finding, type Finding } from "./finding.ts";
import { withoutUndefined } from "../../lib/base/without-undefined.ts";

/** The result of a request to the name at its DNS addresses, as visitors send it. */
export type OutsideView =
  /** This service. `circles`: its HTTPS address would redirect to itself. */
  | { readonly kind: "us"; readonly circles: boolean }
  /** Another server, with its status and the target of its redirect. */
  | { readonly kind: "other"; readonly status: number; readonly location?: string }
  /** A redirect loop, or too many redirects. */
  | { readonly kind: "circle" }
  /** The connection was refused or broken. */
  | { readonly kind: "refused" }
  | { readonly kind: "timeout" }
  /** Nothing was checked, for lack of an allowed address or of time. */
  | { readonly kind: "unlooked" };

/** The check from outside; exists only while the DNS points here. Instants are in milliseconds since the Unix epoch. */
export interface OutsideFacts {
  /** Addresses from the last DNS check; only these are contacted. */
  readonly addresses: readonly string[];
  /** When the check became due; absent: not due. */
  readonly wantedAt?: number;
  readonly seen?: OutsideView;
}

/** Most addresses stored; the check uses only one per IP version. */
const MAX_ADDRESSES = 16;

/** Schedules a check, because the DNS points here. The previous result is kept until then. */
export function withCheckScheduled(
  before: OutsideFacts | undefined,
  addresses: readonly string[],
  now: number,
): OutsideFacts {
  return {
    addresses: addresses.slice(0, MAX_ADDRESSES),
    wantedAt: now,
    ...withoutUndefined({ seen: before?.seen }),
  };
}

/** Whether this service answers; undefined if unknown. */
export function answersHere(view: OutsideView): boolean | undefined {
  switch (view.kind) {
    case "us":
      return true;
    case "other":
      // A server error of a proxy does not tell which server is behind it.
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

/** Returns the finding for a result; undefined if it is fine or unknown. */
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
      return finding("http01_unreachable", {
        url: `http://${hostname}/`,
        message: describeView(view),
      });
    case "unlooked":
      return undefined;
    default:
      return view satisfies never;
  }
}

function circle(hostname: string, network: string | undefined): Finding {
  return finding("redirect_loop_at_proxy", {
    hostname,
    ...withoutUndefined({ network }),
  });
}

function describeView(
  view: Extract<OutsideView, { kind: "other" | "refused" | "timeout" }>,
): string {
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
