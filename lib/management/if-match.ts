import type { Problem } from "../base/problem.ts";
import { done, refused, type Result } from "../base/result.ts";
import { entityTag, mayChange, type Versioned } from "../http/conditional.ts";

/**
 * The version on which a change has to be made: undefined for any. Of a request with `If-Match` the row as it is must
 * be one that it names (RFC 9110 §13.1.1); refused as `stale` otherwise, and with what `read` is refused.
 */
export async function wantedVersion(
  { headers }: Request,
  read: () => Promise<Result<Versioned, Problem>>,
  stale: Problem,
): Promise<Result<number | undefined, Problem>> {
  const ifMatch = headers.get("if-match");
  if (ifMatch === null) return done(undefined);
  const found = await read();
  if (!found.ok) return found;
  return mayChange(ifMatch, entityTag(found.value))
    ? done(ifMatch.trim() === "*" ? undefined : found.value.version)
    : refused(stale);
}
