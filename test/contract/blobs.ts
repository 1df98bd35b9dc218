import { describe, test } from "bun:test";

import type { Eventual } from "../../lib/base/eventual.ts";
import { blobsContract, type BlobsUnderTest } from "../../lib/testing/blobs-contract.ts";

/** Holds blobs to what their port promises. */
export function describeBlobs(name: string, open: () => Eventual<BlobsUnderTest>): void {
  describe(`${name} as blobs`, () => {
    for (const promise of blobsContract(open)) test(promise.name, () => promise.run());
  });
}
