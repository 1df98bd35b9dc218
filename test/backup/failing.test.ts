import { expect, test } from "bun:test";

import { join } from "node:path";

import type { BackupState } from "../../backup/model/schedule.ts";
import { MINUTE_MS } from "../../lib/base/clock.ts";
import { silentLog } from "../../lib/base/log.ts";
import { createBackups } from "../../server/backup/backups.ts";
import { dataDirectory } from "../../server/data/data-directory.ts";
import { loadSettings } from "../../settings/load.ts";
import { manualClock } from "../../testing/clock.ts";
import { scratch } from "../cli/installation.ts";

const START = 1_795_000_000_000;

// There is no database.
test("each failed attempt of a scheduled backup is logged and reported, and the rounds between are silent", async () => {
  const path = await scratch();
  const flags = { "backup-to": join(path, "backups/") };
  const { settings } = await loadSettings({ flags, environment: {} });
  const clock = manualClock(START);
  const logged: string[] = [];
  const reported: object[] = [];
  const directory = dataDirectory(join(path, "data"));
  let state: BackupState = { failures: 0 };
  const backups = await createBackups({
    settings,
    directory,
    history: {
      read: async () => state,
      write: async (next) => {
        state = next;
      },
    },
    encryptionKey: new Uint8Array(32),
    runtime: { clock, version: "1.2.3" },
    hold: () => ({ [Symbol.dispose]: () => undefined }),
    onFailure: async (failure) => reported.push(failure),
    log: {
      ...silentLog,
      info: (message) => logged.push(message),
      error: (message) => logged.push(message),
    },
  });
  for (let minute = 0; minute < 6; minute++) {
    await backups.jobs.tick();
    clock.advance(MINUTE_MS);
  }
  expect(logged).toEqual(
    Array.from({ length: 2 }, () => "the scheduled backup failed and is retried"),
  );
  expect(reported).toMatchObject([{ at: START }, { at: START + 5 * MINUTE_MS }]);
  expect(reported[0]).toHaveProperty("reason", expect.stringContaining("petstore.db"));
});
