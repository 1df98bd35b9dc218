import { randomBelow, type Random } from "../../base/id.ts";
import type { JsonSchema } from "../../base/schema.ts";
import { adjectives, animals } from "./slug-words.ts";

export const MIN_SLUG = 3;
export const MAX_SLUG = 40;

const LABEL = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;

/** Reserved slugs. Slugs that begin with `_` and name servers (`ns`, `ns1`, `ns2` …) are reserved too */
const reservedSlugs: readonly string[] = [
  "www",
  "api",
  "app",
  "admin",
  "docs",
  "staging",
  "cname",
  "mail",
];

const NAME_SERVER = /^ns\d*$/;

/** The reserved slugs as JSON Schema. */
export const reservedJson: JsonSchema = {
  anyOf: [{ enum: reservedSlugs }, { pattern: NAME_SERVER.source }],
};

/** Returns why `slug` cannot be a project's slug; undefined if valid. `reserved` names further reserved slugs. */
export function faultOfSlug(slug: string, reserved: readonly string[] = []): string | undefined {
  if (slug.length < MIN_SLUG || slug.length > MAX_SLUG) {
    return `must be ${MIN_SLUG} to ${MAX_SLUG} characters long`;
  }
  if (isReserved(slug, reserved)) return "is reserved for the service itself";
  if (!LABEL.test(slug)) {
    return "must consist of a-z, 0-9 and hyphens, and neither begin nor end with a hyphen";
  }
  // Two hyphens separate the parts of a preview's host, and mark encoded names (RFC 5891 §4.2.3.1).
  return slug.includes("--") ? "must not contain two hyphens in a row" : undefined;
}

function isReserved(slug: string, reserved: readonly string[]): boolean {
  return (
    slug.startsWith("_") ||
    NAME_SERVER.test(slug) ||
    reservedSlugs.includes(slug) ||
    reserved.includes(slug)
  );
}

/** Creates a slug like `brave-otter-1f2e`: easy to say, one of about a billion. */
export function randomSlug(random: Random): string {
  const adjective = adjectives[randomBelow(random, adjectives.length)];
  const animal = animals[randomBelow(random, animals.length)];
  const number = randomBelow(random, 0x1_0000).toString(16).padStart(4, "0");
  return `${adjective}-${animal}-${number}`;
}
