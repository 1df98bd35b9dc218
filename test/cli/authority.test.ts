import { describe, expect, test } from "bun:test";
import { copyFile, readFile, rm } from "node:fs/promises";

import { ownProblem } from "../../domains/model/acme-problem.ts";
import { checkProfiles, openAuthorities } from "../../server/authority.ts";
import { dataDirectory, type DataDirectory } from "../../server/data/data-directory.ts";
import { resolversOf } from "../../server/resolvers.ts";
import { loadSettings } from "../../settings/load.ts";
import { silentLog } from "../../lib/base/log.ts";
import { done, refused } from "../../lib/base/result.ts";
import { memoryStore } from "../../lib/storage/memory.ts";
import { systemClock } from "../../lib/base/clock.ts";
import type { Store } from "../../lib/storage/store.ts";
import { scratch } from "./installation.ts";

const KEY = new Uint8Array(32).fill(7);

async function opening(flags: Readonly<Record<string, string>>, encryptionKey = KEY, path = "") {
  const directory = dataDirectory(path === "" ? await scratch() : path);
  const { settings } = await loadSettings({ flags, environment: {} });
  const options = {
    settings,
    directory,
    encryptionKey,
    runtime: { clock: systemClock, version: "0" },
  };
  const [authority] = await openAuthorities(options);
  return { directory, authority };
}

const HTTPS = { "listen-https": "127.0.0.1:0" };
const INTERNAL = { ...HTTPS, acme: "internal" };

test.each([
  ["letsencrypt", "https://acme-v02.api.letsencrypt.org/directory"],
  ["letsencrypt-staging", "https://acme-staging-v02.api.letsencrypt.org/directory"],
  ["https://ca.example/dir", "https://ca.example/dir"],
])("%s is an ACME directory", async (acme, id) => {
  const { authority } = await opening({ ...HTTPS, acme });
  expect([authority.kind, authority.id]).toEqual(["acme", id]);
});

test("without HTTPS no CA is contacted, whatever is configured", async () => {
  const { authority, directory } = await opening({ acme: "letsencrypt" });
  expect(authority.kind).toBe("internal");
  expect(await Bun.file(directory.caRoot).exists()).toBe(false);
});

test("the root of the internal CA stays the same after a restart", async () => {
  const { directory } = await opening(INTERNAL);
  const root = await readFile(directory.caRoot, "utf8");
  await opening(INTERNAL, KEY, directory.path);
  expect(await readFile(directory.caRoot, "utf8")).toBe(root);
});

test("opening the internal CA with another encryption key fails and leaves its root unchanged", async () => {
  const { directory } = await opening(INTERNAL);
  const root = await readFile(directory.caRoot, "utf8");
  const wrong = new Uint8Array(32).fill(8);
  await expect(opening(INTERNAL, wrong, directory.path)).rejects.toThrow("another encryption key");
  expect(await readFile(directory.caRoot, "utf8")).toBe(root);
});

test("a missing file of CA roots fails the start with the option's name", async () => {
  const flags = { ...HTTPS, acme: "https://ca.example/dir", "acme-ca-file": "/nowhere.pem" };
  await expect(opening(flags)).rejects.toThrow(
    "acme-ca-file: /nowhere.pem: the file does not exist",
  );
});

test("the resolvers are the configured ones, else the system's, else this machine", async () => {
  const named = [{ address: "192.0.2.53", port: 53 }];
  const system = async (): Promise<string> => "nameserver 192.0.2.1\nnameserver 2001:db8::1\n";
  expect(await resolversOf(named, system)).toEqual([{ address: "192.0.2.53", port: 53 }]);
  expect(await resolversOf(undefined, system)).toEqual([
    { address: "192.0.2.1", port: 53 },
    { address: "2001:db8::1", port: 53 },
  ]);
  for (const without of [async () => "search example.org\n", () => Promise.reject(new Error())]) {
    expect(await resolversOf(undefined, without)).toEqual([{ address: "127.0.0.1", port: 53 }]);
  }
});

/** Opens the internal CA of a directory with a store, as a server does. Returns the root that users install. */
async function rootOf(directory: DataDirectory, store: Store, shared: boolean): Promise<string> {
  const { settings } = await loadSettings({ flags: INTERNAL, environment: {} });
  const runtime = { clock: systemClock, version: "0" };
  await openAuthorities({ settings, directory, encryptionKey: KEY, runtime, store, shared });
  return readFile(directory.caRoot, "utf8");
}

test("nodes have one internal CA, and an installation that moves keeps it", async () => {
  const store = memoryStore();
  const [moved, other] = [await opening(INTERNAL), await opening(INTERNAL)];
  const before = await readFile(moved.directory.caRoot, "utf8");
  expect(await rootOf(moved.directory, store, true)).toBe(before);
  await rm(other.directory.caKey);
  expect(await rootOf(other.directory, store, true)).toBe(before);
  // Back to one process.
  expect(await rootOf(other.directory, store, false)).toBe(before);
  expect(await Bun.file(other.directory.caKey).exists()).toBe(true);
});

test("a CA that one process replaced is the one that nodes get", async () => {
  const store = memoryStore();
  const { directory } = await opening(INTERNAL);
  const first = await rootOf(directory, store, true);
  await Promise.all([rm(directory.caRoot), rm(directory.caKey)]);
  expect(await rootOf(directory, store, false)).toBe(first);
  const another = await opening(INTERNAL);
  for (const file of ["caRoot", "caKey"] as const) {
    await copyFile(another.directory[file], directory[file]);
  }
  const second = await rootOf(directory, store, false);
  expect(second).not.toBe(first);
  expect(await rootOf((await opening(INTERNAL)).directory, store, true)).toBe(second);
});

test("a directory with the halves of two CAs gets that of the store, or the start says what to do", async () => {
  const { directory } = await opening(INTERNAL);
  const root = await readFile(directory.caRoot, "utf8");
  const store = memoryStore();
  await rootOf(directory, store, false);
  const other = await opening(INTERNAL);
  for (const half of ["caRoot", "caKey"] as const) {
    await copyFile(other.directory[half], directory[half]);
    expect(await rootOf(directory, store, false)).toBe(root);
  }
  await copyFile(other.directory.caKey, directory.caKey);
  const alone = rootOf(directory, memoryStore(), false);
  await expect(alone).rejects.toThrow("does not belong to its certificate. Restore");
  await rm(directory.caKey);
  await expect(rootOf(directory, memoryStore(), false)).rejects.toThrow("is missing. Restore");
  expect(await rootOf(directory, store, false)).toBe(root);
});

test("a first start that was killed between the files of the CA does not prevent the next", async () => {
  const { directory } = await opening(INTERNAL);
  await rm(directory.caRoot);
  expect(await rootOf(directory, memoryStore(), false)).toContain("BEGIN CERTIFICATE");
});

describe("the profile of the options", () => {
  const offering = (profile: string, answers = true) => ({
    id: "https://ca.example/directory",
    profile,
    directory: async () =>
      answers
        ? done({
            ...{ caaIdentities: [], externalAccountRequired: false, renewalInfo: true },
            profiles: { shortlived: "six days", classic: "90 days" },
          })
        : refused(ownProblem("unavailable", "down")),
  });
  const check = async (...cas: readonly ReturnType<typeof offering>[]) => {
    const warnings: string[] = [];
    const log = { ...silentLog, warn: (message: string) => void warnings.push(message) };
    await checkProfiles(cas, { clock: systemClock, log });
    return warnings;
  };

  test("that the CA offers lets the server start", async () => {
    expect(await check(offering("classic"))).toEqual([]);
  });

  test("that it does not offer ends the start, and names those that it does", async () => {
    const unknown = check(offering("classic"), offering("tlsserver"));
    await expect(unknown).rejects.toThrow(
      'https://ca.example/directory does not offer the profile "tlsserver", which acme-profile or issuers names. It offers classic, shortlived.',
    );
    await expect(unknown).rejects.toMatchObject({ exit: "configuration" });
  });

  test("cannot be checked while the CA is down, which is a warning", async () => {
    expect(await check(offering("anything", false))).toEqual([
      "the CA did not answer, so its profiles could not be checked",
    ]);
  });
});
