import { ingest } from "../../../../lib/publishing/ingest/ingest.ts";
import { memoryBlobs } from "../../../../lib/publishing/memory-blobs.ts";

/** Runs in its own process: ingests the named archive and reports the time and memory. */
const [path = ""] = process.argv.slice(2);
const { blobs, kept } = forgetful();

Bun.gc(true);
const before = process.memoryUsage.rss();
let most = before;
const watching = setInterval(() => {
  most = Math.max(most, process.memoryUsage.rss());
}, 2);
const result = await ingest(Bun.file(path).stream(), { blobs });
most = Math.max(most, process.memoryUsage.rss());
clearInterval(watching);
const problem = result.ok ? undefined : result.failure;
console.log(JSON.stringify({ grownMiB: (most - before) / 1_048_576, problem, kept: kept.bytes }));

function forgetful(): {
  readonly blobs: ReturnType<typeof memoryBlobs>;
  readonly kept: { bytes: number };
} {
  const kept = { bytes: 0 };
  const put: ReturnType<typeof memoryBlobs>["put"] = async (content) => {
    let size = 0;
    if (content instanceof Uint8Array) size = content.length;
    else for await (const chunk of content) size += chunk.length;
    kept.bytes += size;
    return { sha256: "0".repeat(64), size, added: true };
  };
  return { kept, blobs: { ...memoryBlobs(), put } };
}
