import { resolve } from "node:path";

import type { OnProgress } from "../backup/progress.ts";
import { serveOthersFirst } from "../server/process/priority.ts";
import { blobPlaceOf, usedBlobPlace } from "../server/data/blobs.ts";
import { dataDirectory } from "../server/data/data-directory.ts";
import { nameOf } from "../server/data/database.ts";
import { openInstallation } from "../server/data/installation.ts";
import { keepBlobs } from "../server/listeners/socket.ts";
import {
  checkImport,
  exportInstallation,
  importInstallation,
  type Exported,
} from "../server/data/transfer.ts";
import { done, refused } from "../lib/base/result.ts";
import type { LoadedSettings } from "../settings/load.ts";
import { readableBytes, shellWord } from "../lib/base/readable.ts";

import { rowsIn, sizeOf, type Manifest } from "../transfer/model/manifest.ts";
import { busy, settingsFor } from "./client.ts";
import { command, toggle, type Context, type Flag } from "./command.ts";
import { clientFlags } from "./operation.ts";
import { showProgress, writeJson } from "./output.ts";

const flags = { "data-dir": clientFlags["data-dir"], config: clientFlags.config };
const here = { server: undefined, "token-file": undefined };

/** Says in the command that more than animals is meant. */
function allFlag(instead: string): Flag<true> {
  return {
    name: "all",
    help: "The whole installation.",
    required: true,
    read: (texts) => (texts.length > 0 ? done(true) : refused(`is required; ${instead}`)),
  };
}

const NOT_INSIDE =
  "Not inside: the encryption key (encryption.key of the data directory), your options, and your own TLS certificates.";

export const exportAll = command({
  path: "export",
  summary: "Export the whole installation to a directory of documented files",
  details: `Writes one NDJSON file for each kind of row, the files of the sites, and a manifest with the size and SHA-256 of each, as of one instant, also while a server runs. docs/export-format.md describes them. The files are not sealed: keep them private. ${NOT_INSIDE}`,
  operands: { to: { placeholder: "DIRECTORY", help: "A new or empty directory." } },
  flags: { all: allFlag("`petstore pets export` exports animals"), ...flags },
  examples: ["export --all ./export", "export --all ./export --data-dir /var/lib/petstore"],
  run: async ({ flags: { json, ...given }, operands, context }) => {
    const { terminal } = context;
    const loaded = await settingsFor({ ...given, ...here }, context);
    const to = resolve(operands.to);
    const progress = showProgress(context);
    const exporting = exportFrom(loaded, to, context, progress.show);
    const { manifest, missingBlobs } = await exporting.finally(progress.clear);
    if (json) await writeJson(terminal, { directory: to, ...shown(manifest), missingBlobs });
    else {
      await terminal.out(
        `Exported to ${to}: ${contentsOf(manifest)}.\n` +
          `Import it with: ${context.program} import --all ${shellWord(to)} --data-dir NEW-DIRECTORY\n`,
      );
    }
    if (missingBlobs.length > 0) {
      terminal.fault(
        `Warning: ${missingBlobs.length} site files are missing or damaged in the installation, so the export lacks them.\n`,
      );
    }
    if (manifest.serving) terminal.err(`${WHILE_SERVING}\n`);
    terminal.err(`${NOT_INSIDE}\n`);
    return "done";
  },
});

const WHILE_SERVING =
  "A server was running: the export lacks what it wrote since. To move, stop the server and export again.";

/** Exports while a server runs, which keeps its blobs meanwhile, or else under the lock. */
async function exportFrom(
  { settings }: LoadedSettings,
  to: string,
  { clock, version, terminal }: Context,
  onProgress: OnProgress,
): Promise<Exported> {
  const directory = dataDirectory(settings.dataDir);
  const blobs = await usedBlobPlace({ settings, directory });
  const options = { settings, directory, blobs, to, version, clock, onProgress };
  const opened = await openInstallation({
    directory,
    settings,
    create: false,
    onCopy: (copy) => terminal.err(`The database was copied to ${copy} before its upgrade.\n`),
    clock,
  });
  if ("storage" in opened) {
    try {
      // In the export as well. For the audit log.
      const entry = { type: "installation.exported", accountId: "", at: clock.now() } as const;
      const { store } = opened.storage;
      await store.commit([{ kind: "event.write", ...entry, data: {} }], { kind: "command" });
      const serving = !opened.storage.alone;
      return await exportInstallation({ ...options, kept: undefined, serving });
    } finally {
      await opened.close();
    }
  }
  const kept = await keepBlobs(directory.socket, version);
  if (kept === undefined) throw busy(directory.path, opened);
  serveOthersFirst();
  try {
    return await exportInstallation({ ...options, kept, serving: true });
  } finally {
    await kept.release();
  }
}

export const importAll = command({
  path: "import",
  summary: "Import a whole installation from an export, into an empty database",
  details:
    "Provide the encryption key first: as encryption.key in the data directory, or with PETSTORE_ENCRYPTION_KEY_FILE. Every file is read and compared with the manifest before anything is written. An interrupted import can be run again; until then no server starts on the directory.",
  operands: { from: { placeholder: "DIRECTORY", help: "Where the export is." } },
  flags: {
    all: allFlag("`petstore pets import` imports animals"),
    check: toggle("check", "Read and verify the whole export, and write nothing."),
    ...flags,
  },
  examples: ["import --all ./export --data-dir /var/lib/petstore", "import --all ./export --check"],
  run: async ({ flags: { json, check, ...given }, operands, context }) => {
    const { terminal, clock } = context;
    const { settings } = await settingsFor({ ...given, ...here }, context);
    const { encryptionKey } = settings;
    const directory = dataDirectory(settings.dataDir);
    const from = resolve(operands.from);
    const progress = showProgress(context);
    const blobs = blobPlaceOf(settings, directory);
    const options = {
      from,
      settings,
      directory,
      blobs,
      encryptionKey,
      clock,
      onProgress: progress.show,
    };
    const reading = check ? checkImport(options) : importInstallation(options);
    const manifest = await reading.finally(progress.clear);
    if (json) await writeJson(terminal, shown(manifest));
    else {
      const place = settings.databaseUrl === undefined ? directory.path : nameOf(options);
      const what = check ? "The export is sound" : `Imported into ${place}`;
      const { exportedAt, petstore } = manifest;
      await terminal.out(
        `${what}: ${contentsOf(manifest)}, as of ${exportedAt}, made by petstore ${petstore}.\n`,
      );
      if (!check) {
        await terminal.out(
          `Start it with your options: ${context.program} serve --data-dir ${shellWord(directory.path)} …\n`,
        );
      }
    }
    return "done";
  },
});

function shown(manifest: Manifest) {
  const { exportedAt, petstore, serving, schemas, tables, blobs } = manifest;
  return {
    exportedAt,
    petstore,
    serving,
    bytes: sizeOf(manifest),
    schemas,
    tables: Object.fromEntries(tables.map(({ name, rows }) => [name, rows])),
    blobs: blobs.count,
  };
}

function contentsOf(manifest: Manifest): string {
  const { count, missing } = manifest.blobs;
  const lost = missing === 0 ? "" : ` (${missing} are missing)`;
  return `${rowsIn(manifest).toLocaleString("en")} rows and ${count.toLocaleString("en")} site files${lost}, ${readableBytes(sizeOf(manifest))}`;
}
