import { constants } from "node:fs";
import { access, stat, statfs } from "node:fs/promises";

import { fail, ok, skip, warn, type Check, type Subject } from "./check.ts";
import { authority, portOf } from "../../settings/addresses.ts";
import { fingerprintOf } from "../data/encryption-key.ts";
import { readEncryptionKey } from "../../settings/values.ts";
import { createHoldings } from "../../domains/index.ts";
import { schemaVersion, systemClock } from "../../lib/index.ts";
import { CLOCKS_DIFFER_MS } from "../../lib/base/database-clock.ts";
import { LAST_SEEN, lastSeenIn } from "../../lib/base/store-clock.ts";
import { opens } from "../../transfer/marks.ts";
import { versionsIn } from "../../transfer/snapshot.ts";
import { codeOf, reasonOf } from "../../settings/failure.ts";
import { fingerprintIn, nameOf, redisOf } from "../data/database.ts";
import { faultOfDatabase, faultOfMark, tracesOf } from "../data/found-database.ts";
import { wasUsed } from "../data/lock.ts";
import { listen } from "../listeners/listener.ts";
import { options } from "../../settings/options.ts";
import { isLocal } from "../../settings/domain-names.ts";
import { serverStatus } from "../listeners/socket.ts";
import { addressesOf } from "../resolvers.ts";

const OTHERS = 0o077;
const octal = (mode: number): string => (mode & 0o777).toString(8).padStart(4, "0");

export async function directoryIsPrivate({ directory: { path } }: Subject): ReturnType<Check> {
  const found = await statOf(path);
  if (found === undefined) return fail("directory_missing", { path });
  if (!found.isDirectory()) return fail("not_a_directory", { path });
  try {
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    return fail("directory_unusable", { path, reason: reasonOf(error) });
  }
  return (found.mode & OTHERS) === 0
    ? ok("directory_private", { path })
    : warn("directory_open", { path, mode: octal(found.mode) });
}

const MIB = 1024 * 1024;
/** Below the first limit writes may fail soon; below the second the operator should know. */
const SPACE_FAIL = 16 * MIB;
const SPACE_WARN = 512 * MIB;

export async function hasSpace({ directory: { path } }: Subject): ReturnType<Check> {
  if ((await statOf(path)) === undefined) return warn("space_unknown", {});
  const { bavail, bsize } = await statfs(path);
  const free = bavail * bsize;
  const facts = { path, bytes: free };
  if (free < SPACE_FAIL) return fail("space_low", facts);
  return free < SPACE_WARN ? warn("space_low", facts) : ok("space_free", facts);
}

export async function keyIsPrivate(subject: Subject): ReturnType<Check> {
  const { settings, directory } = subject;
  if (settings.encryptionKey !== undefined) {
    return (await fits(subject, settings.encryptionKey))
      ? ok("key_set", {})
      : fail("key_set_unfit", {});
  }
  const path = directory.encryptionKey;
  const found = await statOf(path);
  if (found === undefined) {
    if (settings.databaseUrl !== undefined) {
      return fail("key_needed", {});
    }
    return (await statOf(directory.database)) === undefined
      ? warn("key_none", {})
      : fail("key_missing", { path });
  }
  const key = readEncryptionKey(await Bun.file(path).text());
  if (!key.ok) return fail("key_invalid", { path, reason: key.failure });
  if (!(await fits(subject, key.value))) return fail("key_unfit", { path });
  return (found.mode & OTHERS) === 0
    ? ok("key_private", { path })
    : fail("key_readable", { path, mode: octal(found.mode) });
}

async function fits({ database }: Subject, key: Uint8Array): Promise<boolean> {
  const known = await fingerprintIn(await database());
  return known === undefined || known === fingerprintOf(key);
}

export async function databaseIsSound(subject: Subject): ReturnType<Check> {
  const { settings, directory, serving } = subject;
  const { found, query, versions: stored } = await subject.database();
  if (settings.databaseUrl === undefined) {
    // Closing the lock file in the process that holds the lock would release it (fcntl(2)).
    const traces = tracesOf(directory, { used: serving || wasUsed(directory.lock) });
    const fault = faultOfDatabase(found, { path: directory.path, traces });
    if (fault !== undefined) return fail("database_lost", { reason: fault });
  }
  const path = nameOf(subject);
  if (typeof found === "object") {
    return fail("database_lost", { reason: faultOfMark(found, { name: path, isPostgres: true }) });
  }
  if (found !== "ours") return warn("database_none", {});
  // Opening it as a server does would upgrade an older schema, which an older program could not use.
  // Reads the whole file, which would block a server.
  if (settings.databaseUrl === undefined && !serving) {
    const faults = (await query("PRAGMA quick_check(5)")).map((row) => row["quick_check"]);
    if (faults.join() !== "ok") {
      return fail("database_damaged", { path, reason: faults.join("; ") });
    }
  }
  const versions = new Map(Object.entries(versionsIn(await stored())));
  const [known, own] = [schemaVersion, versions.get(COMPONENT) ?? 0];
  if (!opens(known, COMPONENT, versions)) {
    return fail("database_newer", { path, version: own, known });
  }
  return ok("database_sound", {
    path,
    version: own,
    ...(own < known ? { upgradedTo: known } : {}),
  });
}

const COMPONENT = "petstore";

/** The service works without Redis, so nothing is worse than a warning. */
export async function redisAnswers({ settings }: Subject): ReturnType<Check> {
  const redis = await redisOf(settings);
  if (redis === undefined) return skip("redis_off", {});
  try {
    const { name, version, evicts } = await redis.server();
    return evicts
      ? warn("redis_evicts", { server: name })
      : ok("redis_sound", { server: name, version });
  } catch (error) {
    return warn("redis_unusable", { reason: reasonOf(error).replace(/\.$/, "") });
  } finally {
    redis.close();
  }
}

export async function serverAnswers({ directory, runtime }: Subject): ReturnType<Check> {
  const status = await serverStatus(directory.socket);
  if (status === undefined) return skip("server_none", {});
  const { pid, version, addresses, direct } = status;
  const readyz = await fetch(`${direct}/readyz`, {
    signal: AbortSignal.timeout(3_000),
  }).catch(() => undefined);
  const facts = { pid, address: addresses.production };
  if (readyz?.ok !== true) return fail("server_not_ready", facts);
  return version === runtime.version
    ? ok("server_ready", facts)
    : warn("server_of_other_version", { ...facts, version, own: runtime.version });
}

/** Checks that the port is free, or used by the server of this installation. */
export function portIsFree(key: "listen" | "stagingListen" | "listenHttps"): Check {
  return async ({ settings, directory }) => {
    const endpoint = settings[key];
    if (typeof endpoint === "string") return skip("port_off", { value: endpoint });
    if (endpoint.port === 0) return ok("port_any", {});
    const status = await serverStatus(directory.socket);
    const ours = Object.values(status?.addresses ?? {}).some(
      (origin) => origin !== undefined && portOf(origin) === endpoint.port,
    );
    const address = authority(endpoint);
    if (ours) return ok("port_ours", { address });
    if (status !== undefined) return warn("port_unused", { address });
    const holdings = createHoldings({ clock: systemClock });
    const handler = (): Response => new Response();
    await (
      await listen(endpoint, options[key].name, handler, { holdings, onError: () => undefined })
    ).end();
    return ok("port_free", { address });
  };
}

const FIND = "SELECT value FROM settings WHERE name = ?";

/** 2026-01-01: this program is newer. */
const BUILT_AFTER = 1_767_225_600_000;
const YEAR_MS = 31_557_600_000;
const HOUR_MS = 3_600_000;

export async function clockIsSane(subject: Subject): ReturnType<Check> {
  const { directory, runtime } = subject;
  const { clock } = runtime;
  const shownAt = clock.now() + (clock.aheadMs ?? 0);
  if (shownAt < BUILT_AFTER || shownAt > BUILT_AFTER + 50 * YEAR_MS) {
    return fail("clock_wrong", { shownAt });
  }
  const database = await statOf(directory.database);
  if (database !== undefined && database.mtimeMs > shownAt + HOUR_MS) {
    return fail("clock_behind", { shownAt, writtenAt: database.mtimeMs });
  }
  const { found, clock: theirs, has, query } = await subject.database();
  const aheadMs = theirs === undefined ? 0 : shownAt - theirs.now();
  if (Math.abs(aheadMs) > CLOCKS_DIFFER_MS) return warn("clock_differs", { aheadMs });
  const seen = found === "ours" && (await has("settings")) ? await query(FIND, LAST_SEEN) : [];
  const { pausedMs, jumpMs } = lastSeenIn(seen[0]?.["value"]);
  return pausedMs > 0 ? warn("clock_jumped", { jumpMs, pausedMs }) : ok("clock_right", { shownAt });
}

export async function domainResolves(subject: Subject): ReturnType<Check> {
  const { baseDomain } = subject.settings;
  if (isLocal(baseDomain)) return ok("domain_local", { domain: baseDomain });
  const names = [baseDomain, `staging.${baseDomain}`];
  const missing: string[] = [];
  for (const name of names) {
    if ((await addressesOf(subject, name)).length === 0) missing.push(name);
  }
  return missing.length === 0
    ? ok("domain_resolves", { names })
    : warn("domain_missing", { names: missing });
}

function statOf(path: string) {
  return stat(path).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  });
}
