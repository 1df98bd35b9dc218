import { unknown, type Answer } from "../answer.ts";
import type { NameView } from "../survey.ts";
import { destinationOf, routeOf, type Destination } from "./route.ts";
import { addressesFrom } from "./subject.ts";

/** What a look learned from one authoritative server of the name. */
export type LookView = Pick<NameView, "cname" | "a" | "aaaa">;

/** The answers of a look. */
export interface LookAnswers {
  /** The name that a CNAME record should point to. */
  readonly target: string;
  readonly edgeAddresses: readonly string[];
  /** The views of authoritative servers only. */
  readonly views: readonly LookView[];
  /** The addresses of our target, from several sources. */
  readonly targetA: readonly Answer<string>[];
  readonly targetAaaa: readonly Answer<string>[];
  /** The aliases that follow the first one; undefined: not known. */
  readonly behind?: readonly string[] | undefined;
}

const NOT_ASKED = unknown("timeout");

/**
 * Judges a look. One server that leads here suffices for `here`: the others may lag behind. `away` requires that one
 * answered, and that no other one left open where the name leads.
 */
export function judgeLook({
  target,
  edgeAddresses,
  views,
  targetA,
  targetAaaa,
  behind,
}: LookAnswers): "here" | "away" | "partly" | "unseen" | "proxied" {
  let partly = false;
  const ours = addressesFrom({ ofA: targetA, ofAaaa: targetAaaa }, edgeAddresses);
  const landmarks = { target, ours, behind: () => ({ names: behind ?? [] }) };
  const kinds = views.map((view): Destination["kind"] => {
    const whole = {
      ...view,
      ownership: NOT_ASKED,
      caa: NOT_ASKED,
      mx: NOT_ASKED,
      https: NOT_ASKED,
    };
    const route = routeOf(whole);
    const { kind } = destinationOf(route, landmarks);
    if (route.kind === "addresses") {
      partly ||= [...route.a, ...route.aaaa].some((address) => ours.has(address));
    }
    // An alias that cannot be followed may lead here in the end.
    const open = route.kind === "alias" && kind === "elsewhere" && behind === undefined;
    return open ? "unknown" : kind;
  });
  if (kinds.some((kind) => kind === "target" || kind === "addresses")) return "here";
  if (kinds.includes("proxied")) return "proxied";
  if (!kinds.some((kind) => kind === "elsewhere" || kind === "nowhere")) return "unseen";
  return partly ? "partly" : "away";
}
