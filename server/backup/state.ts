import { readFile } from "node:fs/promises";

import { placeOf } from "../../backup/place.ts";
import { type BackupState } from "../../backup/model/schedule.ts";
import type { BackupReport } from "../../backup/job.ts";
import type { Sql } from "../../lib/index.ts";
import { codeOf, Failure, reasonOf } from "../../settings/failure.ts";
import type { DataDirectory } from "../data/data-directory.ts";
import type { DatabaseReader } from "../data/database.ts";
import { writeSecret } from "../data/files.ts";

/** Where the outcome of the backups so far is kept: in the data directory, or in a database that several machines use. */
export interface BackupHistory {
  read(): Promise<BackupState>;
  write(state: BackupState): Promise<void>;
}

/** The history of an installation with SQLite: the file is not part of its backups. */
export function historyInFile({ backupState: path }: DataDirectory): BackupHistory {
  return {
    read: async () => {
      let text: string;
      try {
        text = await readFile(path, "utf8");
      } catch (error) {
        if (codeOf(error) === "ENOENT") return { failures: 0 };
        throw new Failure("configuration", `${path} cannot be read: ${reasonOf(error)}.`, {
          cause: error,
        });
      }
      return stateIn(text);
    },
    write: (state) => writeSecret(path, JSON.stringify(state)),
  };
}

/** The name of the setting. No migration creates it, so that a backup before an upgrade is remembered, too. */
const SETTING = "backups";
const FIND = "SELECT value FROM settings WHERE name = ?";
const SET = `INSERT INTO settings (name, value) VALUES (?, ?)
  ON CONFLICT (name) DO UPDATE SET value = excluded.value`;

/** The history of an installation with PostgreSQL, which all its nodes see. */
export function historyInSql(sql: Pick<Sql, "query" | "batch">): BackupHistory {
  return {
    read: async () => {
      const [row] = await sql.query({ text: FIND, values: [SETTING] });
      return stateIn(row?.["value"]);
    },
    write: async (state) => {
      const values = [SETTING, JSON.stringify(state)];
      await sql.batch([{ text: SET, values }], () => true, "backups");
    },
  };
}

/** Reads the history in a database that may have no tables yet. */
export async function readHistory({ found, has, query }: DatabaseReader): Promise<BackupState> {
  if (found !== "ours" || !(await has("settings"))) return { failures: 0 };
  return stateIn((await query(FIND, SETTING))[0]?.["value"]);
}

function stateIn(text: unknown): BackupState {
  try {
    return JSON.parse(String(text));
  } catch {
    // There is none, or only the history is lost.
    return { failures: 0 };
  }
}

/**
 * Records a good backup. Where backups are scheduled to `scheduled`, one by hand to another place is not recorded: the
 * schedule depends on the last one there.
 */
export async function rememberGood(
  history: BackupHistory,
  report: BackupReport,
  scheduled: string | undefined,
): Promise<void> {
  const { at, to, bytes, rehearsed } = report;
  if (scheduled !== undefined && placeOf(scheduled).path !== to) return;
  await history.write({ good: { at, to, bytes, rehearsed }, failures: 0 });
}

/** Records a failure of a scheduled backup, and returns the history with it. */
export async function rememberFailure(
  history: BackupHistory,
  at: number,
  reason: string,
): Promise<BackupState> {
  const { good, failures } = await history.read();
  const state = { good, failed: { at, reason }, failures: failures + 1 };
  await history.write(state);
  return state;
}
