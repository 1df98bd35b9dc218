import { createCipheriv, createDecipheriv, hkdfSync } from "node:crypto";

import { systemRandom, type Random } from "../../lib/base/id.ts";

/** Encrypts secrets at rest: AES-256-GCM with a key derived from the encryption key. */
export interface Seal {
  /** `identity` names the row of the secret: a sealed text that is moved to another row does not open. */
  close(secret: string, identity: string): string;
  /** Throws `SealBroken`. */
  open(sealed: string, identity: string): string;
}

/** A sealed text cannot be opened: another encryption key, another row, or damage. */
export class SealBroken extends Error {
  override readonly name = "SealBroken";
}

const PURPOSE = "petstore domains: secrets at rest";
const VERSION = "v1";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Creates a seal from the encryption key `root`, 32 bytes. Throws a `TypeError` for another length. */
export function createSeal(root: Uint8Array, random: Random = systemRandom): Seal {
  if (root.length !== 32) throw new TypeError("an encryption key has 32 bytes");
  const key = new Uint8Array(hkdfSync("sha256", root, new Uint8Array(), PURPOSE, 32));
  return {
    close: (secret, identity) => {
      const nonce = random(new Uint8Array(NONCE_BYTES));
      const cipher = createCipheriv("aes-256-gcm", key, nonce);
      cipher.setAAD(Buffer.from(identity));
      const body = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
      const sealed = Buffer.concat([nonce, body, cipher.getAuthTag()]);
      return `${VERSION}.${sealed.toString("base64url")}`;
    },
    open: (sealed, identity) => {
      const [version, text = ""] = sealed.split(".", 2);
      const bytes = Buffer.from(text, "base64url");
      if (version !== VERSION || bytes.length < NONCE_BYTES + TAG_BYTES) throw broken(identity);
      const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, NONCE_BYTES));
      decipher.setAAD(Buffer.from(identity));
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      const body = bytes.subarray(NONCE_BYTES, -TAG_BYTES);
      try {
        return Buffer.concat([decipher.update(body), decipher.final()]).toString("utf8");
      } catch (error) {
        throw broken(identity, error);
      }
    },
  };
}

function broken(identity: string, cause?: unknown): SealBroken {
  return new SealBroken(
    `The secret of ${identity} cannot be opened: it was sealed with another encryption key, or is damaged. ` +
      "Start with the encryption key that belongs to this database.",
    { cause },
  );
}
