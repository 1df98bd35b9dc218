import { describe, expect, test } from "bun:test";

import { planRemoval, type KeptBackup } from "../../backup/model/retention.ts";
import { nextBackupAt } from "../../backup/model/schedule.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../lib/base/clock.ts";

function kept(id: string, ...blobs: readonly string[]): KeptBackup {
  const index = {
    format: 1,
    installation: "a",
    madeAt: "",
    petstore: "1.0.0",
    sealed: { bytes: 1, sha256: "" },
    blobs,
  };
  return { id, index };
}

describe("retention", () => {
  test("removes the oldest backups, and the blobs that only they need", () => {
    const backups = [kept("3", "b", "c"), kept("1", "a", "b"), kept("2", "b")];
    expect(planRemoval(backups, ["a", "b", "c"], 2)).toEqual({ backups: ["1"], blobs: ["a"] });
  });

  test("removes blobs that an interrupted backup left", () => {
    expect(planRemoval([kept("1", "a")], ["a", "z"], 7)).toEqual({ backups: [], blobs: ["z"] });
  });

  test("removes no blob of a kept backup, whatever is kept", () => {
    const backups = [1, 2, 3, 4, 5].map((n) => kept(String(n), `only-${n}`, "shared"));
    for (let keep = 1; keep <= 6; keep++) {
      const found = backups.flatMap(({ index }) => index.blobs);
      const removal = planRemoval(backups, found, keep);
      const left = backups.filter(({ id }) => !removal.backups.includes(id));
      expect(left).toHaveLength(Math.min(keep, 5));
      for (const { index } of left) {
        for (const blob of index.blobs) expect(removal.blobs).not.toContain(blob);
      }
    }
  });
});

describe("the schedule", () => {
  const now = Date.UTC(2026, 10, 23, 4);
  const good = { at: now - HOUR_MS, to: "/mnt", bytes: 1, rehearsed: true };
  const asked = { to: "/mnt", everyMs: DAY_MS, now };

  test("is due at once without a good backup in this place, else an interval after it", () => {
    expect(nextBackupAt({ failures: 0 }, asked)).toBe(now);
    expect(nextBackupAt({ failures: 0, good }, asked)).toBe(good.at + DAY_MS);
    expect(nextBackupAt({ failures: 0, good }, { ...asked, to: "/other" })).toBe(now);
  });

  test("retries a failure after 5, 10, 20 minutes, at most after the interval", () => {
    const failed = { at: now, reason: "" };
    const waits = [1, 2, 3, 20].map(
      (failures) => nextBackupAt({ good, failed, failures }, asked) - now,
    );
    expect(waits).toEqual([5 * MINUTE_MS, 10 * MINUTE_MS, 20 * MINUTE_MS, DAY_MS]);
  });

  test("is due at once if the clock was set back beyond the last backup", () => {
    const later = { ...good, at: now + 2 * DAY_MS };
    expect(nextBackupAt({ failures: 0, good: later }, asked)).toBe(now);
  });
});
