import type { Problem } from "../base/problem.ts";
import { done, refused, type Result } from "../base/result.ts";
import { spenderOf, type CountBy } from "./limiter.ts";
import type { Account, Environment } from "../model/account.ts";
import type { ApiKey } from "../model/api-key.ts";
import { activeUntil } from "../model/ban.ts";
import { startOfPeriod, usagePeriodMs, type UsagePeriod } from "../model/usage.ts";
import type { WindowName, WindowView } from "../model/window.ts";
import { noSuchAccount } from "./default-account.ts";
import type { ActionContext } from "./context.ts";
import { viewOf } from "./keys.ts";

/** The limits of a catalogue and its keys. */
export interface LimitsView {
  readonly countBy: CountBy;
  /** The windows shared by all keys; never started if limits are counted by key. */
  readonly windows: readonly WindowState[];
  /** Active and banned keys, newest first. */
  readonly keys: readonly KeyLimits[];
}

/** The current state of a window. Instants are in milliseconds since the Unix epoch. */
export interface WindowState {
  readonly name: WindowName;
  readonly limit: number;
  readonly remaining: number;
  /** When the full limit is available again; null before the first request. */
  readonly resetAt: number | null;
}

/** The limits of a key and what it has used of them. Instants are in milliseconds. */
export interface KeyLimits {
  readonly id: string;
  /** Requests counted in the current minute and UTC day; up to about a second late. */
  readonly used: Readonly<Record<WindowName, number>>;
  /** The key's own windows; present if limits are counted by key. */
  readonly windows?: readonly WindowState[];
  readonly ban: {
    readonly bannedAt: number;
    readonly until: number;
    /** 1 to 5; each lasts longer than the one before. */
    readonly level: number;
  } | null;
}

/** The most rows read; more than a hundred keys can have in one period. */
const MAX_ROWS = 10_000;

/** Returns the limits of a catalogue and its keys, without spending. */
export async function readLimits(
  context: ActionContext,
  { accountId, environment }: { readonly accountId: string; readonly environment: Environment },
): Promise<Result<LimitsView, Problem>> {
  const { store, clock, countBy, peek } = context;
  const account = await store.accounts.byId(accountId);
  const catalogue = await store.catalogues.of(accountId, environment);
  if (account === undefined || catalogue === undefined) return refused(noSuchAccount);
  const now = clock.now();
  const all = await store.keys.ofAccount(accountId);
  const keys = all.filter((key) => key.environment === environment && isListed(key, now));
  const [minute, day] = await Promise.all([
    usedBy(context, { accountId, environment, by: "minute", now }),
    usedBy(context, { accountId, environment, by: "day", now }),
  ]);
  // If limits are counted by key, this counter is never charged.
  const shared = spenderOf("catalogue", { id: "", catalogueId: catalogue.id });
  const together = await peek(shared, account.limits);
  const shown = keys.map(async (key): Promise<KeyLimits> => {
    const used = { minute: minute.get(key.id) ?? 0, day: day.get(key.id) ?? 0 };
    const own = countBy === "key" ? { windows: await windowsOf(context, account, key) } : {};
    return { id: key.id, used, ...own, ban: banOf(key, now) };
  });
  return done({
    countBy,
    windows: together.windows.map(stateOf),
    keys: await Promise.all(shown),
  });
}

function isListed(key: ApiKey, now: number): boolean {
  const { status } = viewOf(key, now);
  return status === "active" || status === "banned";
}

/** Returns the requests counted against the limits, by key: without those refused by a limit and without 5xx. */
async function usedBy(
  { store }: ActionContext,
  {
    by,
    now,
    ...where
  }: {
    readonly accountId: string;
    readonly environment: Environment;
    readonly by: UsagePeriod;
    readonly now: number;
  },
): Promise<ReadonlyMap<string, number>> {
  const from = startOfPeriod(by, now);
  const rows = await store.usage.read(
    { ...where, by, from, to: from + usagePeriodMs[by] },
    MAX_ROWS,
  );
  const used = new Map<string, number>();
  for (const { keyId, requests, limited, failed } of rows) {
    used.set(keyId, (used.get(keyId) ?? 0) + requests - limited - failed);
  }
  return used;
}

async function windowsOf(
  { countBy, peek }: ActionContext,
  { limits }: Account,
  key: ApiKey,
): Promise<readonly WindowState[]> {
  const { windows } = await peek(spenderOf(countBy, key), limits);
  return windows.map(stateOf);
}

/** Returns a window as clients see it. A window at its full limit has no reset. */
function stateOf({ name, limit, remaining, resetsAt }: WindowView): WindowState {
  return { name, limit, remaining, resetAt: remaining === limit ? null : resetsAt };
}

function banOf({ ban }: ApiKey, now: number): KeyLimits["ban"] {
  const until = activeUntil(ban, now);
  return ban === undefined || until === undefined
    ? null
    : { bannedAt: ban.bannedAt, until, level: ban.level };
}
