import { directoryBlobs } from "../../adapters/files/blobs.ts";
import { postgresBlobs } from "../../adapters/postgres/blobs.ts";
import { postgresSql } from "../../adapters/postgres/sql.ts";

/** Runs in its own process: puts blobs endlessly and prints each name once the blob is durable. */
const [path = "", url] = process.argv.slice(2);
const blobs =
  url === undefined
    ? directoryBlobs({ path })
    : await postgresBlobs({
        sql: await postgresSql({ url, connect: (options) => new Bun.SQL(options) }),
        cachePath: path,
      });
/** In PostgreSQL, some have several parts. */
const MOST = url === undefined ? 60_000 : 1_400_000;

async function write(): Promise<void> {
  for (;;) {
    const content = new Uint8Array(Math.floor(Math.random() * MOST));
    for (let start = 0; start < content.length; start += 65_536) {
      crypto.getRandomValues(content.subarray(start, start + 65_536));
    }
    const given = Math.random() < 0.5 ? content : new Blob([content]).stream();
    const { sha256, size } = await blobs.put(given);
    process.stdout.write(`${sha256} ${size}\n`);
  }
}

await Promise.all(Array.from({ length: 8 }, write));
