import { expect, test } from "bun:test";

import { backupKeys } from "../../backup/keys.ts";

// Computed with `openssl kdf … HKDF` and `openssl dgst -sha256 -mac HMAC`, for a key of 32 bytes with the value 7.
test("what is derived from the encryption key never changes: backups of every version stay readable", () => {
  const keys = backupKeys(new Uint8Array(32).fill(7));
  expect(keys.installation).toBe("5486b9f1a5366d9ab671080af9717dd0");
  expect(keys.sign("Rex")).toBe("614ba186e9deae5cd9e6bb2247033b335cb7001d58b438fdd91ded7d330a5ac8");
  expect(keys.blobName("age1x", "00")).toBe(
    "1cda7f4b52e87348557e09eeef905d4e89c7f4c02e523b18ec5c38d8c5e4e625",
  );
});
