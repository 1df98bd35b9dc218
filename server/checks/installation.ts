import { Database } from "bun:sqlite";
import { constants } from "node:fs";
import { access, stat, statfs } from "node:fs/promises";

import { isoTime } from "../../lib/base/clock.ts";
import { fail, skip, warn, type Check, type Subject } from "./check.ts";
import type { DataDirectory } from "../data-directory.ts";
import { authority, portOf } from "../../settings/addresses.ts";
import { fingerprintOf } from "../encryption-key.ts";
import { readEncryptionKey } from "../../settings/values.ts";
import { schemaVersion } from "../../lib/index.ts";
import { Failure, codeOf, reasonOf } from "../../settings/failure.ts";
import { faultOfDatabase, findDatabase, fingerprintIn, tracesOf } from "../found-database.ts";
import { wasUsed } from "../lock.ts";
import { listen } from "../listener.ts";
import { isLocal, options } from "../../settings/options.ts";
import { serverStatus } from "../socket.ts";
import { addressesOf } from "../resolvers.ts";

const OTHERS = 0o077;
const octal = (mode: number): string => (mode & 0o777).toString(8).padStart(4, "0");

export async function directoryIsPrivate({ directory: { path } }: Subject): ReturnType<Check> {
  const found = await statOf(path);
  if (found === undefined) {
    return fail(`${path} does not exist`, "run `petstore serve`, which creates it");
  }
  if (!found.isDirectory()) return fail(`${path} is not a directory`);
  await access(path, constants.R_OK | constants.W_OK | constants.X_OK).catch((error: unknown) => {
    throw new Failure("configuration", `${path} cannot be used: ${reasonOf(error)}`);
  });
  return (found.mode & OTHERS) === 0
    ? path
    : warn(`${path} is open to other users (mode ${octal(found.mode)})`, `run chmod 700 ${path}`);
}

const MIB = 1024 * 1024;
/** Below the first limit writes may fail soon; below the second the operator should know. */
const SPACE_FAIL = 16 * MIB;
const SPACE_WARN = 512 * MIB;

export async function hasSpace({ directory: { path } }: Subject): ReturnType<Check> {
  if ((await statOf(path)) === undefined) return warn("no data directory to check");
  const { bavail, bsize } = await statfs(path);
  const free = bavail * bsize;
  const message = `${Math.floor(free / MIB).toLocaleString("en")} MiB free`;
  const fix = `free space on the disk of ${path}`;
  if (free < SPACE_FAIL) return fail(message, fix);
  return free < SPACE_WARN ? warn(message, fix) : message;
}

export async function keyIsPrivate({ settings, directory }: Subject): ReturnType<Check> {
  if (settings.encryptionKey !== undefined) {
    return fits(directory, settings.encryptionKey) ? "set by option" : fail(`the option ${UNFIT}`);
  }
  const path = directory.encryptionKey;
  const found = await statOf(path);
  if (found === undefined) {
    return (await statOf(directory.database)) === undefined
      ? warn("none yet; the first start creates it")
      : fail(`${path} is missing: without it no API key works`, "restore it from your copy");
  }
  const key = readEncryptionKey(await Bun.file(path).text());
  if (!key.ok) return fail(`${path} ${key.failure}`);
  if (!fits(directory, key.value)) return fail(`${path} ${UNFIT}`);
  return (found.mode & OTHERS) === 0
    ? `${path}; keep a copy elsewhere`
    : fail(
        `${path} can be read by other users (mode ${octal(found.mode)})`,
        `run chmod 600 ${path}`,
      );
}

const UNFIT = "is not the key of this database";

function fits(directory: DataDirectory, key: Uint8Array): boolean {
  const known = fingerprintIn(directory);
  return known === undefined || known === fingerprintOf(key);
}

export async function databaseIsSound({ directory, serving }: Subject): ReturnType<Check> {
  const path = directory.database;
  const found = findDatabase(directory);
  // Closing the lock file in the process that holds the lock would release it (fcntl(2)).
  const traces = tracesOf(directory, { used: serving || wasUsed(directory.lock) });
  const fault = faultOfDatabase(found, { path: directory.path, traces });
  if (fault !== undefined) return fail(fault);
  if (found !== "ours") return warn("none yet; the first start creates it");
  // Read-only: opening it as a server does would upgrade an older schema, which an older program could not use.
  const database = new Database(path, { readonly: true });
  try {
    // Reads the whole file, which would block a server.
    if (!serving) {
      const faults = JSON.stringify(database.prepare("PRAGMA quick_check(5)").values());
      if (faults !== '[["ok"]]') return fail(`${path} is damaged: ${faults}`, "restore a backup");
    }
    const [[version] = []] = database.prepare(SCHEMA_VERSION).values();
    const known = schemaVersion;
    if (!(Number(version) <= known)) {
      return fail(
        `${path} has schema version ${String(version)}, but this program supports ${known}`,
        "run the newer program that wrote it",
      );
    }
    const next = Number(version) < known ? `, which the next start upgrades to ${known}` : "";
    return `${path}, schema version ${String(version)}${next}`;
  } finally {
    database.close();
  }
}

const SCHEMA_VERSION = "SELECT MAX(version) FROM schema_migrations WHERE component = 'petstore'";

export async function serverAnswers({ directory, runtime }: Subject): ReturnType<Check> {
  const status = await serverStatus(directory.socket);
  if (status === undefined) return skip("none runs on this directory");
  const { pid, version, addresses } = status;
  const readyz = await fetch(`${addresses.production}/readyz`, {
    signal: AbortSignal.timeout(3_000),
  }).catch(() => undefined);
  const who = `process ${pid} on ${addresses.production}`;
  if (readyz?.ok !== true) return fail(`${who} is not ready`);
  return version === runtime.version
    ? `${who} is ready`
    : warn(`${who} is version ${version}, this program is ${runtime.version}`, "restart it");
}

/** Checks that the port is free, or used by the server of this installation. */
export function portIsFree(key: "listen" | "stagingListen" | "listenHttps"): Check {
  return async ({ settings, directory }) => {
    const endpoint = settings[key];
    if (typeof endpoint === "string") return skip(endpoint);
    if (endpoint.port === 0) return "any free port";
    const status = await serverStatus(directory.socket);
    const ours = Object.values(status?.addresses ?? {}).some(
      (origin) => origin !== undefined && portOf(origin) === endpoint.port,
    );
    if (ours) return `${authority(endpoint)}, used by the server of this directory`;
    if (status !== undefined) {
      return warn(`${authority(endpoint)}, but the server listens elsewhere`, "restart it");
    }
    await (await listen(endpoint, options[key].name, () => new Response())).end();
    return `${authority(endpoint)} is free`;
  };
}

/** 2026-01-01: this program is newer. */
const BUILT_AFTER = 1_767_225_600_000;
const YEAR_MS = 31_557_600_000;
const HOUR_MS = 3_600_000;

export async function clockIsSane({ runtime, directory }: Subject): ReturnType<Check> {
  const now = runtime.clock.now();
  const shown = isoTime(now);
  if (now < BUILT_AFTER || now > BUILT_AFTER + 50 * YEAR_MS) {
    return fail(`the clock shows ${shown}: limits, bans and expiry depend on it`, SET_CLOCK);
  }
  const database = await statOf(directory.database);
  return database !== undefined && database.mtimeMs > now + HOUR_MS
    ? fail(
        `the clock shows ${shown}, but the database was written at ${isoTime(database.mtimeMs)}`,
        SET_CLOCK,
      )
    : shown;
}

const SET_CLOCK = "set the clock of this machine by NTP";

export async function domainResolves(subject: Subject): ReturnType<Check> {
  const { baseDomain } = subject.settings;
  if (isLocal(baseDomain)) return `${baseDomain}: any host name is accepted`;
  const missing: string[] = [];
  for (const name of [baseDomain, `staging.${baseDomain}`]) {
    if ((await addressesOf(subject, name)).length === 0) missing.push(name);
  }
  return missing.length === 0
    ? `${baseDomain} and staging.${baseDomain} have addresses`
    : warn(`no address found for ${missing.join(" and ")}`, "add A or AAAA records");
}

function statOf(path: string) {
  return stat(path).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  });
}
