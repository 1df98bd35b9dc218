import { DAY_MS, HOUR_MS } from "../base/clock.ts";
import { problem, type Problem } from "../base/problem.ts";
import { readableSecond } from "../base/readable.ts";

/** Why the log has no request with an ID. */
export type UnknownReason = "not_an_id" | "too_old" | "future" | "recent" | "chosen";

/** An ID that a petstore made: its time in base 36, eight characters of the process, and a count. */
const MADE = /^req_([0-9a-z]{8})[0-9A-Za-z]{8}\d+$/;
const ANY = /^[\w-]{8,64}$/;
/** Clocks of machines differ. */
const TOLERATED_MS = HOUR_MS;

/** Returns when a petstore made a request ID; undefined if a client chose it. */
export function timeOfId(requestId: string): number | undefined {
  const [, at] = MADE.exec(requestId) ?? [];
  return at === undefined ? undefined : Number.parseInt(at, 36);
}

/** Returns what an ID tells about why the log does not have its request. */
export function whyUnknown(requestId: string, now: number, keepMs: number): UnknownReason {
  if (!ANY.test(requestId)) return "not_an_id";
  const at = timeOfId(requestId);
  if (at === undefined) return "chosen";
  if (at < now - keepMs) return "too_old";
  return at > now + TOLERATED_MS ? "future" : "recent";
}

/** Returns the refusal for an ID that the log does not have. `ofAccount`: only requests of an account were searched. */
export function unknownRequest(
  requestId: string,
  {
    now,
    keepMs,
    ofAccount,
  }: { readonly now: number; readonly keepMs: number; readonly ofAccount: boolean },
): Problem {
  const at = timeOfId(requestId);
  const made = at === undefined ? "" : readableSecond(at);
  const kept = `requests are kept for ${writtenTime(keepMs)}`;
  const keys = ofAccount ? ", it had no valid key of this account" : "";
  const others = `Possible reasons: another installation answered it${keys}, the account sent so many requests that only a sample was kept, it is less than three seconds old, or the server was killed before it stored the request. Requests to the management API and to sites are not in this log.`;
  const texts: Readonly<Record<UnknownReason, string>> = {
    not_an_id:
      "This is not a request ID. It is in the header X-Request-Id of the response, and has 8 to 64 letters, digits, hyphens and underscores.",
    too_old: `This request arrived at ${made}, and ${kept}.`,
    future: `This ID was made by another installation: its time, ${made}, lies in the future here.`,
    recent: `The log has no request with this ID, which was made at ${made}. ${others}`,
    chosen: `The log has no request with this ID, and ${kept}. ${others}`,
  };
  return problem("not_found", texts[whyUnknown(requestId, now, keepMs)]);
}

/** `7 days`, `36 hours` */
function writtenTime(ms: number): string {
  const [count, unit] =
    ms % DAY_MS === 0 ? [ms / DAY_MS, "day"] : [Math.round(ms / HOUR_MS), "hour"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
