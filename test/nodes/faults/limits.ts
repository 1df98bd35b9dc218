import { api } from "../../helpers/api.ts";
import { torture } from "../../helpers/chance.ts";
import { CLIENT_WAITS_MS, PATIENCE_MS, type Cluster, type Tenant } from "./cluster.ts";

/** A request that costs one, and what its reply says about the minute. */
export interface Spend {
  readonly node: number;
  readonly status: number;
  readonly sentAt: number;
  readonly endedAt: number;
  readonly remaining: number;
  /** In seconds since 1970. */
  readonly resetsAt: number;
  readonly retryAfter: number;
}

export interface Spender {
  readonly tenant: Tenant;
  readonly perMinute: number;
  readonly spends: readonly Spend[];
  /** Sends a request to a node. Undefined: no reply came. */
  readonly spend: (node: number, patienceMs?: number) => Promise<Spend | undefined>;
  /** Spends on all nodes until one decides, and returns when it had. */
  readonly decided: () => Promise<number>;
  /** Resolves when no request waits for a reply. */
  readonly idle: () => Promise<void>;
}

const DAY = 1_000_000_000;
/** Before a node that refused is asked again. */
const RETRY_MS = torture ? 20 : 200;

/** Creates an account that may send `perMinute` requests per minute. */
export async function startSpender(
  cluster: Cluster,
  name: string,
  perMinute: number,
): Promise<Spender> {
  const tenant = await cluster.account(name, { perMinute, perDay: DAY });
  const spends: Spend[] = [];
  const spend: Spender["spend"] = async (node, patienceMs = PATIENCE_MS) => {
    const sentAt = performance.now();
    try {
      const { status, headers } = await api({
        base: cluster.origins[node] ?? "",
        key: tenant.key,
      }).get("/v1/pets?limit=1", { signal: AbortSignal.timeout(patienceMs) });
      const number = (header: string): number => Number(headers.get(header) ?? NaN);
      const one = {
        node,
        status,
        sentAt,
        endedAt: performance.now(),
        remaining: number("x-ratelimit-remaining"),
        resetsAt: number("x-ratelimit-reset"),
        retryAfter: number("retry-after"),
      };
      spends.push(one);
      return one;
    } catch {
      return undefined;
    }
  };
  const waiting: Promise<void>[] = [];
  return {
    tenant,
    perMinute,
    spends,
    spend,
    decided: async () => {
      let decidedAt: number | undefined;
      const keepTrying = async (node: number): Promise<void> => {
        while (decidedAt === undefined) {
          const made = await spend(node, CLIENT_WAITS_MS);
          if (made?.status === 200 || made?.status === 429) decidedAt ??= performance.now();
          else await Bun.sleep(RETRY_MS);
        }
      };
      const trying = cluster.origins.map((_, node) => keepTrying(node));
      waiting.push(...trying);
      await Promise.race(trying);
      return decidedAt ?? NaN;
    },
    idle: async () => {
      await Promise.all(waiting);
    },
  };
}

const MINUTE_S = 60;

/** Returns how the replies contradict the contract: a window lasts a minute from its first request, and grants `perMinute`. */
export function overspent({ perMinute, spends }: Spender): readonly string[] {
  const faults: string[] = [];
  const granted = spends.filter(({ status }) => status === 200);
  const windows = Map.groupBy(granted, ({ resetsAt }) => resetsAt);
  for (const [resetsAt, all] of windows) {
    if (all.length > perMinute) {
      faults.push(`${all.length} of ${perMinute} were granted until ${resetsAt}`);
    }
    for (const other of windows.keys()) {
      if (other > resetsAt && other - resetsAt < MINUTE_S) {
        faults.push(`a window ends ${other - resetsAt} s after the one before`);
      }
    }
  }
  return faults;
}

/**
 * Returns how replies contradict the contract: T1, a request that remained is granted; T2, so is one after `Retry-After`; T3, at
 * the reset the window is full again; T4, what remains does not rise before that. The replies are those of one client, one
 * after the other, and no fault made a node forget.
 */
export function dishonest({ perMinute, spends }: Spender): readonly string[] {
  const faults: string[] = [];
  for (const [index, one] of spends.entries()) {
    const next = spends[index + 1];
    if (one.status !== 200 && one.status !== 429) faults.push(`a reply was ${one.status}`);
    if (next === undefined) continue;
    // Both clocks are of this machine.
    const before = performance.timeOrigin + next.endedAt < one.resetsAt * 1_000;
    const after = performance.timeOrigin + next.sentAt >= one.resetsAt * 1_000;
    if (after && (next.status !== 200 || next.remaining !== perMinute - 1)) {
      faults.push(
        `T3: after the reset, a request got ${next.status}, and ${next.remaining} remained`,
      );
    }
    if (one.remaining > 0 && before && next.status !== 200) {
      faults.push(`T1: ${one.remaining} remained, and the next got ${next.status}`);
    }
    if (before && next.remaining > one.remaining) {
      faults.push(`T4: ${one.remaining} remained, then ${next.remaining}`);
    }
    const waited = next.sentAt - one.endedAt >= one.retryAfter * 1_000;
    if (one.status === 429 && waited && next.status !== 200) {
      faults.push(`T2: after ${one.retryAfter} s, a request got ${next.status}`);
    }
  }
  return faults;
}
