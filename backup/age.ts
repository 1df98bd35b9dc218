import { hkdfSync } from "node:crypto";

import { bech32 } from "@scure/base";

import { once } from "../lib/base/eventual.ts";
import { WrongKey, type Sealing } from "./ports.ts";

const PURPOSE = "petstore backups: age identity";
const PREFIX = "age-secret-key-";

/** Returns the age identity that derives from the encryption key. A secret. */
export function identityOf(encryptionKey: Uint8Array): string {
  const secret = hkdfSync("sha256", encryptionKey, new Uint8Array(), PURPOSE, 32);
  return bech32.encodeFromBytes(PREFIX, new Uint8Array(secret)).toUpperCase();
}

/** Loaded on first use: most processes make no backup, and its curves take time and memory at the start. */
const load = once(() => import("age-encryption"));

/** Returns the fault of an age recipient; undefined if it is valid. */
export async function faultOfRecipient(recipient: string): Promise<string | undefined> {
  const { Encrypter } = await load();
  return faultOf(() => new Encrypter().addRecipient(recipient));
}

/** Returns the fault of an age identity; undefined if it is valid. */
export async function faultOfIdentity(identity: string): Promise<string | undefined> {
  const { Decrypter } = await load();
  return faultOf(() => new Decrypter().addIdentity(identity));
}

function faultOf(add: () => void): string | undefined {
  try {
    add();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/**
 * Seals in the age format (age-encryption.org/v1): to `recipient`, else to the identity that derives from the encryption
 * key. Opens with that identity and the given ones.
 */
export async function ageSealing({
  encryptionKey,
  recipient,
  identities = [],
}: {
  /** 32 bytes. A secret. */
  readonly encryptionKey: Uint8Array;
  readonly recipient?: string | undefined;
  /** Secrets. */
  readonly identities?: readonly string[];
}): Promise<Sealing> {
  const { Decrypter, Encrypter, identityToRecipient } = await load();
  const own = identityOf(encryptionKey);
  const to = recipient ?? (await identityToRecipient(own));
  const encrypter = new Encrypter();
  encrypter.addRecipient(to);
  const decrypter = new Decrypter();
  for (const identity of [own, ...identities]) decrypter.addIdentity(identity);
  // The header has the same size for every content.
  const { length: overhead } = await encrypter.encrypt(new Uint8Array());
  return {
    recipient: to,
    opens: recipient === undefined,
    seal: (plain) => encrypter.encrypt(plain),
    open: async (sealed) => {
      try {
        return await decrypter.decrypt(sealed);
      } catch (error) {
        if (error instanceof Error && error.message.startsWith("no identity matched")) {
          throw new WrongKey("No key opens this backup.", { cause: error });
        }
        throw error;
      }
    },
    sealedBytes: (plain) =>
      overhead + plain + TAG_BYTES * (Math.max(1, Math.ceil(plain / CHUNK_BYTES)) - 1),
  };
}

/** The payload is encrypted in chunks, each with a tag. */
const CHUNK_BYTES = 65_536;
const TAG_BYTES = 16;
