import { nodeDigest } from "../../adapters/hosts/node.ts";
import { bunSqliteStore } from "../../adapters/sqlite/bun.ts";
import { createAccount } from "../../lib/accounts/accounts.ts";
import type { ActionContext } from "../../lib/accounts/context.ts";
import { createKey } from "../../lib/accounts/keys.ts";
import { systemClock } from "../../lib/base/clock.ts";
import { isPromise } from "../../lib/base/eventual.ts";
import { systemRandom } from "../../lib/base/id.ts";
import { silentLog } from "../../lib/base/log.ts";
import { createKeyring } from "../../lib/accounts/keyring.ts";
import { memoryLimiter } from "../../lib/accounts/memory-limiter.ts";
import { alternate } from "../compare.ts";
import { atMost, figure, type Row } from "../row.ts";
import { LIMITS, valueOf } from "../service.ts";

/** Row 6: identifying the caller and counting the request in both windows, in process. */
export const admission: Row = {
  name: "admission",

  measure: async (bench) => {
    const admit = await openAdmission();
    bench.say("row 6: key and windows");
    const time = (work: () => unknown): number => {
      const startedAt = Bun.nanoseconds();
      for (let call = 0; call < CALLS; call++) work();
      return (Bun.nanoseconds() - startedAt) / 1_000 / CALLS;
    };
    time(admit);
    time(nothing);
    const times = await alternate(bench.runs, {
      ours: () => time(admit),
      theirs: () => time(nothing),
    });
    const what = "key check and both windows, in process";
    const value = times.ours - times.theirs;
    return [
      figure(
        { row: 6, what, ...times, against: "an empty function", unit: "µs", value },
        atMost(2, "µs more"),
      ),
    ];
  },

  smoke: async () => {
    const admit = await openAdmission();
    const [first, second] = [admit(), admit()];
    if (first - second !== 1) throw new Error(`${first} remained, and then ${second}`);
    return [];
  },
};

const CALLS = 1_000_000;
const nothing = (): number => 0;

/** Returns a function that admits one request and returns the minute's remaining requests. */
async function openAdmission(): Promise<() => number> {
  const pepper = (): Uint8Array => new Uint8Array(32);
  const store = await bunSqliteStore({ path: ":memory:" });
  const limiter = memoryLimiter({ clock: systemClock });
  const context: ActionContext = {
    store,
    commit: (changes) => store.commit(changes, { kind: "system" }),
    clock: systemClock,
    random: systemRandom,
    digest: nodeDigest,
    log: silentLog,
    pepper,
    forget: () => undefined,
    countBy: "catalogue",
    peek: (spender, limits) => limiter.peek(spender, limits),
    clearViolations: async () => undefined,
  };
  const { id } = valueOf(
    await createAccount(context, { name: "Bench", plan: "enterprise", limits: LIMITS }),
  );
  const { token } = valueOf(await createKey(context, { accountId: id, environment: "production" }));
  const keyring = createKeyring({
    store,
    digest: nodeDigest,
    pepper,
    environment: "production",
    countBy: "catalogue",
  });
  const header = `Bearer ${token}`;
  // Only the first request reads the store; after that the keyring is trusted.
  await keyring.identify(header, systemClock.now());
  return () => {
    const now = systemClock.now();
    keyring.confirm(now);
    const identified = keyring.identify(header, now);
    if (isPromise(identified) || !identified.ok) throw new Error("the key was not remembered");
    const { spender, account } = identified.value;
    return limiter.spend(spender, account.limits).windows[0].remaining;
  };
}
