import { readFile } from "node:fs/promises";

import type { BackupReport } from "../backup/job.ts";
import { sizeOf } from "../backup/model/manifest.ts";
import { placeOf, type Place } from "../backup/place.ts";
import type { OnProgress } from "../backup/progress.ts";
import { jobOf } from "../server/backup/backups.ts";
import { followBackup } from "../server/backup/events.ts";
import { blobPlaceOf } from "../server/data/blobs.ts";
import { checkRestore, restoreInstallation, type Restored } from "../server/backup/restore.ts";
import { backUpAlone, runJob } from "../server/backup/postgres.ts";
import { dataDirectory } from "../server/data/data-directory.ts";
import { keptKey } from "../server/data/encryption-key.ts";
import { databaseFailure, fingerprintIn, nameOf, readDatabase } from "../server/data/database.ts";
import { faultOf, lockDirectory } from "../server/data/installation.ts";
import { requestBackup } from "../server/listeners/socket.ts";
import { Failure, reasonOf } from "../settings/failure.ts";
import type { LoadedSettings } from "../settings/load.ts";
import { readableBytes, shellWord } from "../lib/base/readable.ts";
import { s3AccessIn } from "../settings/s3.ts";
import { busy, settingsFor } from "./client.ts";
import { command, optionalText, toggle, type Context } from "./command.ts";
import { clientFlags } from "./operation.ts";
import { confirm, showProgress, writeJson, yesFlag } from "./output.ts";
import { asTyped } from "../lib/base/commands.ts";

const flags = { "data-dir": clientFlags["data-dir"], config: clientFlags.config };
const here = { server: undefined, "token-file": undefined };

const KEEP =
  "Keep elsewhere: the encryption key (encryption.key of the data directory), which no backup contains; your options and your own TLS certificates.";
const KEEP_IDENTITY = "Keep the identity of the backup-recipient, too.";

export const backup = command({
  path: "backup",
  summary: "Back up the installation to a sealed file, directory or bucket, while it serves",
  details: `A directory (an existing one, or a path that ends with a slash) or bucket takes many backups and stores each site file once. The backup is read back before it counts. A bucket needs the options s3-… or the environment of AWS. ${KEEP}`,
  operands: {
    to: {
      placeholder: "FILE|DIRECTORY|s3://…",
      help: "A new file, or a directory or bucket for many backups.",
    },
  },
  flags,
  examples: [
    "backup /mnt/backups/",
    "backup s3://bucket/petstore",
    "backup petstore.backup --data-dir /var/lib/petstore",
  ],
  run: async ({ flags: { json, ...given }, operands, context }) => {
    const { terminal } = context;
    const loaded = await settingsFor({ ...given, ...here }, context);
    const progress = showProgress(context);
    const making = backUp(loaded, placeOf(operands.to), context, progress.show);
    const report = await making.finally(progress.clear);
    if (json) await writeJson(terminal, report);
    else await terminal.out(asTyped(describeBackup(report), context.program));
    if (report.missingBlobs.length > 0) {
      terminal.fault(
        `Warning: ${report.missingBlobs.length} site files are missing or damaged in the installation, so the backup lacks them.\n`,
      );
    }
    terminal.err(`${KEEP}\n`);
    if (loaded.settings.backupRecipient !== undefined) terminal.err(`${KEEP_IDENTITY}\n`);
    return "done";
  },
});

/** Makes a backup through the running server, which keeps its blobs meanwhile, or under the lock. */
async function backUp(
  { settings }: LoadedSettings,
  to: Place,
  { clock, version }: Context,
  onProgress: OnProgress,
): Promise<BackupReport> {
  const directory = dataDirectory(settings.dataDir);
  const lock = await lockDirectory({ directory, settings, create: false, clock });
  if (!("release" in lock)) {
    const events = await requestBackup(directory.socket, version, to);
    if (events === undefined) throw busy(directory.path, lock);
    return followBackup(
      events,
      onProgress,
      () => new Failure("failed", "The server stopped before the backup was complete."),
    );
  }
  try {
    const place = { settings, directory };
    const known = await readDatabase(place, async (database) => {
      const fault = faultOf(database, place, lock);
      if (fault !== undefined) throw new Failure("configuration", fault);
      return fingerprintIn(database);
    }).catch((error: unknown) => {
      throw settings.databaseUrl === undefined ? error : databaseFailure(error, place);
    });
    const given = settings.encryptionKey;
    const encryptionKey = await keptKey({ known, path: directory.encryptionKey, given });
    if (known === undefined || encryptionKey === undefined) {
      const where = settings.databaseUrl === undefined ? directory.path : nameOf(place);
      throw new Failure("configuration", `${where} contains nothing to back up yet.`);
    }
    const job = await jobOf(to, { settings, directory, encryptionKey, version, rehearse: false });
    return await backUpAlone(place, () => runJob(job, clock, onProgress));
  } finally {
    lock.release();
  }
}

function describeBackup({
  to,
  id,
  bytes,
  writtenBytes,
  rows,
  blobs,
  sha256,
}: BackupReport): string {
  return (
    `Backed up to ${to}: ${rows.toLocaleString("en")} rows and ${blobs.toLocaleString("en")} site files, ` +
    `${readableBytes(bytes)} (${readableBytes(writtenBytes)} written), verified.\n` +
    `Backup ${id}, SHA-256 ${sha256}\n` +
    `Restore it with: petstore restore ${shellWord(to)} --data-dir NEW-DIRECTORY\n`
  );
}

export const restore = command({
  path: "restore",
  summary: "Restore a backup into an empty data directory or database",
  details:
    "With database-url, restores into PostgreSQL, else into SQLite, whichever the backup was made from. Provide the encryption key first: as encryption.key in the data directory, or with PETSTORE_ENCRYPTION_KEY_FILE. Nothing is put in place until every check has passed. Keys that were revoked after the backup work again.",
  operands: {
    from: { placeholder: "FILE|DIRECTORY|s3://…", help: "Where the backup is." },
  },
  flags: {
    ...flags,
    backup: optionalText(
      "backup",
      "ID",
      "Which backup of a directory or bucket. Default: the newest.",
    ),
    identity: optionalText(
      "identity",
      "FILE",
      "File with the age identity of the backup-recipient, if the backup was sealed to one.",
    ),
    check: toggle("check", "Read and verify the whole backup, and write nothing."),
    yes: yesFlag,
  },
  examples: [
    "restore /mnt/backups/ --data-dir /var/lib/petstore",
    "restore petstore.backup --check",
  ],
  run: async ({
    flags: { json, backup: id, identity, check, yes, ...given },
    operands,
    context,
  }) => {
    const { terminal } = context;
    const { settings } = await settingsFor({ ...given, ...here }, context);
    const directory = dataDirectory(settings.dataDir);
    const into =
      settings.databaseUrl === undefined ? directory.path : nameOf({ settings, directory });
    if (!check) await confirm(terminal, `Restore into ${into}?`, yes);
    const progress = showProgress(context);
    const options = {
      from: placeOf(operands.from),
      s3: s3AccessIn(settings),
      blobs: blobPlaceOf(settings, directory),
      id,
      directory,
      settings,
      encryptionKey: settings.encryptionKey,
      identity: identity === undefined ? undefined : await readIdentity(identity),
      clock: context.clock,
      onProgress: progress.show,
    };
    const reading = check ? checkRestore(options) : restoreInstallation(options);
    const restored = await reading.finally(progress.clear);
    if (json) await writeJson(terminal, shown(restored));
    else {
      const at = check ? undefined : { into, dataDir: directory.path };
      await terminal.out(asTyped(describeRestored(restored, at), context.program));
    }
    return "done";
  },
});

/** Reads the first line of an identity file that is not a comment. */
async function readIdentity(path: string): Promise<string> {
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    throw new Failure("usage", `${path} cannot be read: ${reasonOf(cause)}.`, { cause });
  });
  return (
    text
      .split("\n")
      .find((line) => line.trim() !== "" && !line.startsWith("#"))
      ?.trim() ?? ""
  );
}

function shown({ id, manifest }: Restored) {
  const { madeAt, petstore, schemas, tables, blobs, missingBlobs } = manifest;
  return {
    ...(id === undefined ? {} : { id }),
    madeAt,
    petstore,
    bytes: sizeOf(manifest),
    schemas,
    tables,
    blobs: blobs.length,
    missingBlobs,
  };
}

function describeRestored(
  { manifest }: Restored,
  at: { readonly into: string; readonly dataDir: string } | undefined,
): string {
  const { madeAt, petstore, tables, blobs, missingBlobs } = manifest;
  const counts = COUNTED.map(([table, one, several]) => {
    const rows = tables[table]?.rows ?? 0;
    return `${rows.toLocaleString("en")} ${rows === 1 ? one : several}`;
  });
  const lost = missingBlobs.length === 0 ? "" : ` (${missingBlobs.length} were missing already)`;
  return (
    `${at === undefined ? "The backup is sound" : `Restored into ${at.into}`}: ` +
    `${counts.join(", ")} and ${blobs.length.toLocaleString("en")} site files${lost}, ` +
    `${readableBytes(sizeOf(manifest))}, as of ${madeAt}, made by petstore ${petstore}.\n` +
    (at === undefined
      ? ""
      : `Start it with your options: petstore serve --data-dir ${shellWord(at.dataDir)} …\n`)
  );
}

/** The tables whose rows show that a backup is complete. */
const COUNTED = [
  ["accounts", "account", "accounts"],
  ["members", "member", "members"],
  ["pets", "animal", "animals"],
  ["projects", "project", "projects"],
  ["domains", "domain", "domains"],
] as const;
