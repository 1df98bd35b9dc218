import { pick, secondsUntilReset, type Standing, type ToldWindow } from "../model/window.ts";

/** What an answer says of the limits. */
export interface LimitHeaders {
  /** `X-RateLimit-Limit`, like the next two of the window that matters most. */
  readonly limit: string;
  /** `X-RateLimit-Remaining`. */
  readonly remaining: string;
  /** `X-RateLimit-Reset`: a Unix timestamp in seconds. */
  readonly reset: string;
  /** `RateLimit`: of every window what remains and for how many seconds. */
  readonly rateLimit: string;
  /** `RateLimit-Policy`: of every window how much it allows and for how many seconds. */
  readonly policy: string;
}

/** What a verdict says, the last two as in draft-ietf-httpapi-ratelimit-headers-10. */
export function limitHeaders({ at, windows }: Standing): LimitHeaders {
  const picked = pick(windows);
  let rateLimit = "";
  for (const window of windows) {
    if (rateLimit !== "") rateLimit += ", ";
    rateLimit += `"${window.name}";r=${window.remaining};t=${secondsUntilReset(window, at)}`;
  }
  return {
    limit: String(picked.limit),
    remaining: String(picked.remaining),
    reset: String(picked.resetsAt / 1_000),
    rateLimit,
    policy: policyOf(windows),
  };
}

interface KeptPolicy {
  readonly second: Pick<ToldWindow, "name" | "limit"> | undefined;
  readonly text: string;
}

/** By the minute's limit, negated when it stands alone. Plans are few; the bound is for agreed limits that change. */
const policies = new Map<number, KeptPolicy>();
const MAX_POLICIES = 1_000;

function policyOf(windows: Standing["windows"]): string {
  const [first, second] = windows;
  const key = second === undefined ? -first.limit : first.limit;
  const kept = policies.get(key);
  if (
    kept !== undefined &&
    kept.second?.limit === second?.limit &&
    kept.second?.name === second?.name
  ) {
    return kept.text;
  }
  const text = windows
    .map(({ name, limit, lengthSeconds }) => `"${name}";q=${limit};w=${lengthSeconds}`)
    .join(", ");
  if (policies.size >= MAX_POLICIES) policies.clear();
  policies.set(key, { second, text });
  return text;
}
