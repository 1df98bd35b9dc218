import type { JSX } from "preact";

import { systemClock } from "../../../../lib/base/clock.ts";
import { Instant } from "../../components/time.tsx";
import { Meter } from "../../components/indicators.tsx";
import { keysWords } from "./words.ts";
import { words } from "../../words/words.ts";
import type { LimitsView } from "../../../../lib/accounts/limits.ts";

/** The requests used of the minute's and the day's limit. Keeps its height while loading. */
export function WindowMeters({ limits }: { readonly limits: LimitsView | undefined }): JSX.Element {
  const keys = keysWords.words();
  const { common } = words();
  return (
    <div class="tiles">
      {(["minute", "day"] as const).map((name) => {
        const window = limits?.windows.find((one) => one.name === name);
        const { limit = 0, remaining = 0, resetAt = null } = window ?? {};
        // The window may have ended since it was loaded.
        const over = resetAt === null || resetAt <= systemClock.now();
        const used = over ? 0 : limit - remaining;
        return (
          <div key={name} class="stack tight">
            <p class="row apart">
              <strong>{keys[name]}</strong>
              <span class="soft small">
                {window === undefined ? common.loading : keys.used(used, limit)}
              </span>
            </p>
            <Meter value={used} max={Math.max(limit, 1)} label={keys[name]} />
            <p class="soft small">
              {over ? keys.notBegun : keys.resets}
              {!over && resetAt !== null && (
                <>
                  {" "}
                  <Instant at={resetAt} />
                </>
              )}
            </p>
          </div>
        );
      })}
    </div>
  );
}
