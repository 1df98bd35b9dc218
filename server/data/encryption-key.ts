import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";

import { readEncryptionKey } from "../../settings/values.ts";
import type { Store } from "../../lib/index.ts";
import { Failure, codeOf } from "../../settings/failure.ts";
import { writeSecret } from "./files.ts";

const BYTES = 32;
/** Setting of the store that identifies its key. */
export const FINGERPRINT = "encryption key fingerprint";

/**
 * Returns the key of an installation: the given one, else the one in the file, else a new one, which is on disk before
 * it is returned. Fails if it is not the key of the store.
 */
export async function installationKey({
  store,
  path,
  given,
}: {
  readonly store: Store;
  readonly path: string;
  readonly given: Uint8Array | undefined;
}): Promise<Uint8Array> {
  const known = await store.settings.get(FINGERPRINT);
  const key = (await keptKey({ known, path, given })) ?? (await make(path));
  const value = fingerprintOf(key);
  if (known === undefined) {
    await store.commit([{ kind: "setting.init", name: FINGERPRINT, value }], { kind: "system" });
    // Another process may have set it first.
    await keptKey({ known: await store.settings.get(FINGERPRINT), path, given });
  }
  return key;
}

/**
 * Returns the given key, else the one in the file, or undefined. Fails if its fingerprint is not `known`, which is
 * undefined for a new database.
 */
export async function keptKey({
  known,
  path,
  given,
}: {
  readonly known: string | undefined;
  readonly path: string;
  readonly given: Uint8Array | undefined;
}): Promise<Uint8Array | undefined> {
  const kept = given ?? (await read(path));
  if (known === undefined) return kept;
  if (kept === undefined) {
    throw new Failure(
      "configuration",
      `${path} is missing, and the database needs it. Restore it from your copy, or set PETSTORE_ENCRYPTION_KEY.`,
    );
  }
  if (fingerprintOf(kept) !== known) {
    throw new Failure(
      "configuration",
      `The ${given === undefined ? `encryption key in ${path}` : "given encryption key"} is not the key of this database.`,
    );
  }
  return kept;
}

/** Reads the key like `keptKey`, for a new installation from what never contains its key. `what` names it. Fails without a key. */
export async function copiedKey(
  what: "A backup" | "An export",
  path: string,
  given: Uint8Array | undefined,
): Promise<Uint8Array> {
  const kept = await keptKey({ known: undefined, path, given });
  if (kept !== undefined) return kept;
  throw new Failure(
    "configuration",
    `${what} never contains the encryption key. Put your copy of it in ${path} (mode 0600), or set PETSTORE_ENCRYPTION_KEY_FILE.`,
  );
}

async function read(path: string): Promise<Uint8Array | undefined> {
  let written: string;
  try {
    written = await readFile(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw new Failure("configuration", `${path} cannot be read.`, { cause: error });
  }
  const key = readEncryptionKey(written);
  if (!key.ok) throw new Failure("configuration", `${path} ${key.failure}.`);
  return key.value;
}

async function make(path: string): Promise<Uint8Array> {
  const key = randomBytes(BYTES);
  await writeSecret(path, `${key.toString("base64url")}\n`);
  return new Uint8Array(key);
}

/** Identifies a key without revealing it. */
export function fingerprintOf(key: Uint8Array): string {
  return new Bun.CryptoHasher("sha256", key)
    .update("petstore encryption key fingerprint")
    .digest("hex")
    .slice(0, 32);
}
