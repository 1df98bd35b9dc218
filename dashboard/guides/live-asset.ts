import { base64url, utf8, webDigest } from "../../lib/base/digest.ts";
import type { LoadedAsset } from "../send-asset.ts";

/** A text that is made while the program runs, ready to be sent like those that were made before. */
export async function liveAsset(type: string, text: string): Promise<LoadedAsset> {
  // Encoding makes a buffer of its own.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const bytes = utf8(text) as Uint8Array<ArrayBuffer>;
  const tag = base64url(await webDigest.sha256(bytes)).slice(0, 22);
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"));
  const gzip = new Uint8Array(await new Response(stream).arrayBuffer());
  return {
    type,
    immutable: false,
    bodies: {
      identity: { bytes, etag: `"${tag}"` },
      ...(gzip.length < bytes.length ? { gzip: { bytes: gzip, etag: `"${tag}-gz"` } } : {}),
    },
  };
}
