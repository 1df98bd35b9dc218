import { dataDirectory } from "../server/data/data-directory.ts";
import {
  migrateInstallation,
  rehearseMigration,
  type Migration,
} from "../server/data/migration.ts";
import { readableFiles, shellWord } from "../lib/base/readable.ts";
import { settingsFor } from "./client.ts";
import { command, toggle, type Command } from "./command.ts";
import { clientFlags } from "./operation.ts";
import { showProgress, writeJson } from "./output.ts";
import { asTyped } from "../lib/base/commands.ts";

const here = { server: undefined, "token-file": undefined };

const HOW =
  "Stop the server first; --check measures how long the move takes without stopping it. Copies every row, and compares both databases: counts, SHA-256 of each table, last numbers. Keys, ids, sessions and counters continue. The old database is kept, marked as moved, and no server starts on it. An interrupted move can be run again.";

function migration(
  to: "postgres" | "sqlite",
  { path, summary, details }: Readonly<Record<"path" | "summary" | "details", string>>,
): Command {
  return command({
    path,
    summary,
    details: `${details} ${HOW}`,
    flags: {
      check: toggle(
        "check",
        "Copy and compare everything, then remove the copy and say how long it took.",
      ),
      "data-dir": clientFlags["data-dir"],
      config: clientFlags.config,
    },
    examples: [`${path} --check`, `${path} --data-dir /var/lib/petstore`],
    run: async ({ flags: { json, check, ...given }, context }) => {
      const { terminal, clock, version } = context;
      const { settings } = await settingsFor({ ...given, ...here }, context);
      const directory = dataDirectory(settings.dataDir);
      const progress = showProgress(context);
      const moving = (check ? rehearseMigration : migrateInstallation)({
        to,
        directory,
        settings,
        version,
        clock,
        onCopy: (copy) => terminal.err(`The database was copied to ${copy} before its upgrade.\n`),
        onProgress: progress.show,
      });
      const moved = await moving.finally(progress.clear);
      if (json) await writeJson(terminal, shown(moved, check));
      else {
        await terminal.out(
          check
            ? rehearsed(moved)
            : asTyped(
                `${described(moved)}\n${next(to, moved.from, directory.path)}`,
                context.program,
              ),
        );
      }
      const missing = moved.copied?.blobs.missing.length ?? 0;
      if (missing > 0) {
        terminal.fault(
          `Warning: ${missing} site files are missing or damaged in the installation, so the copy lacks them.\n`,
        );
      }
      return "done";
    },
  });
}

export const migrateCommands: readonly Command[] = [
  migration("postgres", {
    path: "migrate sqlite-to-postgres",
    summary: "Move the installation from SQLite to PostgreSQL",
    details:
      "Moves the database of the data directory to the PostgreSQL database of database-url, which must be empty.",
  }),
  migration("sqlite", {
    path: "migrate postgres-to-sqlite",
    summary: "Move the installation from PostgreSQL to SQLite",
    details:
      "Moves the PostgreSQL database of database-url to SQLite in the data directory, which must have no other database in use.",
  }),
];

function shown({ from, to, copied, ms }: Migration, check: boolean) {
  return {
    from,
    to,
    moved: !check,
    seconds: ms / 1_000,
    ...(copied === undefined
      ? {}
      : {
          tables: Object.fromEntries(
            copied.tables.map(({ name, rows, sha256 }) => [name, { rows, sha256 }]),
          ),
          blobs: copied.blobs,
        }),
  };
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

function contentsOf({ copied }: Migration): string {
  const rows = copied?.tables.reduce((sum, table) => sum + table.rows, 0) ?? 0;
  const { count = 0, copied: withFiles = false } = copied?.blobs ?? {};
  const files = withFiles ? ` and ${readableFiles(count)} of sites` : "";
  return `${rows.toLocaleString("en")} rows${files}`;
}

function described(moved: Migration): string {
  const { from, to, copied, ms } = moved;
  if (copied === undefined) return `Completed the move from ${from} to ${to}.`;
  return `Moved ${contentsOf(moved)} from ${from} to ${to} in ${seconds(ms)}. Every table is the same in both.`;
}

function rehearsed(moved: Migration): string {
  const { from, to, ms } = moved;
  return `Copied ${contentsOf(moved)} from ${from} to ${to}, compared and removed the copy in ${seconds(ms)}. The move takes about as long, while the server is stopped.\n`;
}

function next(to: "postgres" | "sqlite", from: string, dataDir: string): string {
  const start = `petstore serve --data-dir ${shellWord(dataDir)}`;
  return to === "postgres"
    ? `Set database-url to that address, in the configuration file or the environment, and start it: ${start}\n` +
        `${from} is not used any more. Remove it once you have a backup of the new database.\n`
    : `Remove database-url from the configuration and the environment, and start it: ${start}\n` +
        `${from} is not used any more. Drop it once you have a backup.\n`;
}
