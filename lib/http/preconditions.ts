import { problem, type Problem } from "../base/problem.ts";
import { entityTag, isFresh, tags, type Versioned } from "./conditional.ts";

/** Returns true if `If-Match` allows a change of the version `etag`, by strong comparison (RFC 9110 §13.1.1). */
export function mayChange(ifMatch: string, etag: string): boolean {
  return ifMatch.trim() === "*" || tags(ifMatch).some((tag) => tag === etag && tag.startsWith('"'));
}

/**
 * Returns the check of a change's conditions (RFC 9110 §13.2.2) on the current version of a row, which returns `stale` or
 * another refusal; undefined if the request has none.
 */
export function conditionsOf(
  { headers }: Pick<Request, "headers">,
  stale: Problem,
): ((row: Versioned) => Problem | undefined) | undefined {
  const ifMatch = headers.get("if-match");
  const ifNoneMatch = headers.get("if-none-match");
  if (ifMatch === null && ifNoneMatch === null) return undefined;
  return (row) => {
    const etag = entityTag(row);
    if (ifMatch !== null && ifMatch !== "*" && !WELL_FORMED.test(ifMatch)) return malformed;
    if (ifMatch !== null && !mayChange(ifMatch, etag)) {
      return isFresh(ifMatch, etag) ? weakened : stale;
    }
    return faultOfNoneMatch(ifNoneMatch, etag);
  };
}

/** Returns why a request other than GET and HEAD must not run: `If-None-Match` matches `etag` (RFC 9110 §13.1.2). */
export function faultOfNoneMatch(
  ifNoneMatch: string | null,
  etag: string | undefined,
): Problem | undefined {
  if (ifNoneMatch === null || etag === undefined) return undefined;
  return isFresh(ifNoneMatch, etag) ? unwanted : undefined;
}

const TAG = '(?:W/)?"[!#-~]*"';

/** The pattern of a list of entity tags (RFC 9110 §8.8.3). */
export const ENTITY_TAGS: string = `^${TAG}(?: ?, ?${TAG})*$`;
const WELL_FORMED = new RegExp(ENTITY_TAGS);

const malformed: Problem = problem(
  "invalid_parameter",
  'If-Match must be * or a list of ETags with their quotes, such as "1-1-mb2x5c00".',
);

const weakened: Problem = problem(
  "precondition_failed",
  'If-Match has the current version as a weak ETag (W/"…"), which never matches. A proxy that compresses responses, such as ' +
    "nginx with gzip, makes ETags weak. Send the ETag without W/, or turn off compression for this API.",
);

const unwanted: Problem = problem(
  "precondition_failed",
  "If-None-Match matches the current version, so nothing was changed. To change only that version, send If-Match.",
);
