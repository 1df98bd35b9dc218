import { directoryBlobs } from "../../adapters/blobs-directory.ts";

/** Runs in its own process: puts blobs endlessly and prints each name once the blob is durable. */
const [path = ""] = process.argv.slice(2);
const blobs = directoryBlobs({ path });

async function write(): Promise<void> {
  for (;;) {
    const content = new Uint8Array(Math.floor(Math.random() * 60_000));
    crypto.getRandomValues(content);
    const given = Math.random() < 0.5 ? content : new Blob([content]).stream();
    const { sha256, size } = await blobs.put(given);
    process.stdout.write(`${sha256} ${size}\n`);
  }
}

await Promise.all(Array.from({ length: 8 }, write));
