import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";

/** What backups derive from the encryption key, besides the age identity. */
export interface BackupKeys {
  /** Identifies the installation without revealing the key, 32 hex digits. */
  readonly installation: string;
  /** Returns the name under which a blob is stored for a recipient; it does not reveal the blob's digest. */
  blobName(recipient: string, sha256: string): string;
  /** Returns the signature of a manifest or index, which needs the encryption key: knowing the recipient is not enough. */
  sign(text: string): string;
  isSigned(text: string, signature: string): boolean;
}

export function backupKeys(encryptionKey: Uint8Array): BackupKeys {
  const derive = (purpose: string): Uint8Array =>
    new Uint8Array(hkdfSync("sha256", encryptionKey, new Uint8Array(), purpose, 32));
  const nameKey = derive("petstore backups: blob names");
  const signingKey = derive("petstore backups: manifests");
  const sign = (text: string): string =>
    createHmac("sha256", signingKey).update(text).digest("hex");
  return {
    installation: Buffer.from(derive("petstore backups: installation"))
      .toString("hex")
      .slice(0, 32),
    blobName: (recipient, sha256) =>
      createHmac("sha256", nameKey).update(`${recipient}\n${sha256}`).digest("hex"),
    sign,
    isSigned: (text, signature) => {
      const [right, given] = [Buffer.from(sign(text)), Buffer.from(signature)];
      return right.length === given.length && timingSafeEqual(right, given);
    },
  };
}
