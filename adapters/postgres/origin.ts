import { Buffer } from "node:buffer";

import type { Clock } from "../../lib/base/clock.ts";
import { inTurn } from "../../lib/base/eventual.ts";
import { byteSource, lazyStream } from "../../lib/publishing/archive/byte-source.ts";
import { BlobDamaged } from "../../lib/publishing/blobs.ts";
import type { Schema } from "../../lib/sql/migrate.ts";
import { sqlStateOf } from "../../lib/sql/postgres.ts";
import { number, optionalText, text } from "../../lib/sql/rows.ts";
import { type Sql, StoreUnavailable } from "../../lib/sql/sql.ts";
import type { BlobOrigin } from "../files/blob-origin.ts";

/** The tables of `postgresBlobs`. */
export const blobSchema: Schema = {
  component: "blobs",
  migrations: [
    () => [
      `CREATE TABLE blobs (
        sha256 TEXT PRIMARY KEY,
        size BIGINT NOT NULL,
        put_at BIGINT NOT NULL,
        complete INTEGER NOT NULL
      )`,
      `CREATE TABLE blob_parts (
        sha256 TEXT NOT NULL REFERENCES blobs (sha256) ON DELETE CASCADE,
        part INTEGER NOT NULL,
        content BYTEA NOT NULL,
        PRIMARY KEY (sha256, part)
      )`,
      // Images are compressed, and pages have compressed copies: another attempt costs time and saves little.
      "ALTER TABLE blob_parts ALTER COLUMN content SET STORAGE EXTERNAL",
    ],
  ],
};

/** Never changes: a put continues the parts of an interrupted one. */
const PART_BYTES = 524_288;
/** So many parts are read at a time, which leaves connections to other queries while many visitors come to a new machine. */
const MAX_READERS = 3;
/** So many transactions store parts at a time in all processes: more would make requests wait for the connections that write. */
const MAX_WRITERS = 2;
const LISTED_AT_ONCE = 1_000;

const RENEW = `UPDATE blobs SET put_at = GREATEST(put_at, ?)
  WHERE sha256 = ? AND complete = 1 RETURNING size`;
const BEGIN = `INSERT INTO blobs (sha256, size, put_at, complete) VALUES (?, ?, ?, ?)
  ON CONFLICT (sha256) DO UPDATE
  SET put_at = GREATEST(blobs.put_at, excluded.put_at), complete = excluded.complete`;
// Base64, because the port carries texts.
const ADD_PART = `INSERT INTO blob_parts (sha256, part, content) VALUES (?, ?, decode(?, 'base64'))
  ON CONFLICT (sha256, part) DO NOTHING`;
const COMPLETE = `UPDATE blobs SET complete = 1 WHERE sha256 = ? AND complete = 0
  AND size = (SELECT COALESCE(SUM(octet_length(content)), 0) FROM blob_parts WHERE sha256 = ?)
  RETURNING size`;
const SIZE = "SELECT size FROM blobs WHERE sha256 = ? AND complete = 1";
const READ_PART = `SELECT size, encode(content, 'base64') AS content FROM blobs
  LEFT JOIN blob_parts ON blob_parts.sha256 = blobs.sha256 AND part = ?
  WHERE blobs.sha256 = ? AND complete = 1`;
const DELETE = "DELETE FROM blobs WHERE sha256 = ? AND put_at < ?";
const LIST = "SELECT sha256, size, put_at FROM blobs WHERE sha256 > ? ORDER BY sha256 LIMIT ?";

/** Blobs in a PostgreSQL database that has the tables of `blobSchema`. */
export function postgresOrigin(sql: Sql, clock: Clock): BlobOrigin {
  const name = "the database";

  const sizeOf = async (sha256: string): Promise<number | undefined> => {
    const [row] = await sql.query({ text: SIZE, values: [sha256] });
    return row === undefined ? undefined : number(row, "size");
  };

  const inLine = inTurn();
  let readers = 0;
  /** Returns a part and the size of the whole; undefined if the blob does not exist. */
  const readPart = async (sha256: string, part: number) => {
    const [row] = await inLine(String(readers++ % MAX_READERS), async () =>
      sql.query({ text: READ_PART, values: [part, sha256] }),
    );
    if (row === undefined) return undefined;
    const content = optionalText(row, "content");
    return {
      size: number(row, "size"),
      bytes: content === undefined ? undefined : Buffer.from(content, "base64"),
    };
  };

  /** Runs statements of a blob in turn, in all processes; the later ones only if the first one finds nothing. */
  const write = async (
    sha256: string,
    ...steps: readonly (readonly [text: string, ...values: readonly (string | number)[]])[]
  ): Promise<boolean> => {
    const written = await sql.batch(
      steps.map(([statement, ...values], index) => ({
        text: statement,
        values: (earlier) => (index > 0 && earlier[0]?.length === 1 ? undefined : values),
      })),
      () => true,
      `blobs ${Number.parseInt(sha256.slice(0, 2), 16) % MAX_WRITERS}`,
    );
    return written.ok && written.value[0]?.length === 1;
  };

  return {
    name,
    size: sizeOf,
    store: async (sha256, size, content) => {
      const now = clock.now();
      const renew = [RENEW, now, sha256] as const;
      const parts = Math.ceil(size / PART_BYTES);
      const begin = [BEGIN, sha256, size, now, parts > 1 ? 0 : 1] as const;
      const source = byteSource(content());
      const next = async (part: number) => {
        const bytes = await source.exactly(Math.min(PART_BYTES, size - part * PART_BYTES));
        if (bytes === undefined) throw new Error(`The content of ${sha256} ends too early.`);
        const encoded = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
        return [ADD_PART, sha256, part, encoded.toString("base64")] as const;
      };
      try {
        if (parts <= 1) {
          const add = parts === 1 ? [await next(0)] : [];
          return !(await write(sha256, renew, begin, ...add));
        }
        if (await write(sha256, renew, begin)) return false;
        for (let part = 0; part < parts; part++) await write(sha256, await next(part));
        if (await write(sha256, [COMPLETE, sha256, sha256])) return true;
        // Another process may have completed it.
        if ((await sizeOf(sha256)) === size) return false;
        throw removedMeanwhile();
      } catch (error) {
        throw sqlStateOf(error) === FOREIGN_KEY_VIOLATION ? removedMeanwhile(error) : error;
      } finally {
        await source.cancel(undefined).catch(() => undefined);
      }
    },
    contents: async function* (sha256) {
      let next = await readPart(sha256, 0);
      if (next === undefined) return;
      const { size } = next;
      let part = 0;
      let read = 0;
      yield lazyStream(async () => {
        if (read >= size) return undefined;
        next ??= await readPart(sha256, part);
        if (next === undefined) throw removedMeanwhile();
        const { bytes } = next;
        if (bytes === undefined) {
          throw new BlobDamaged(`Part ${part} of the blob ${sha256} in ${name} is missing.`);
        }
        next = undefined;
        part++;
        read += bytes.length;
        return bytes;
      });
    },
    delete: async (sha256, putBefore) => {
      const before = Math.min(putBefore, Number.MAX_SAFE_INTEGER);
      await write(sha256, [DELETE, sha256, before]);
      return (await sizeOf(sha256)) === undefined;
    },
    list: async function* () {
      for (let last = "", more = true; more;) {
        const rows = await sql.query({ text: LIST, values: [last, LISTED_AT_ONCE] });
        for (const row of rows) {
          last = text(row, "sha256");
          yield { sha256: last, size: number(row, "size"), putAt: number(row, "put_at") };
        }
        more = rows.length === LISTED_AT_ONCE;
      }
    },
  };
}

const FOREIGN_KEY_VIOLATION = "23503";

/** Only if the clock of another process is far ahead: a collector removes no blob that was just put. */
function removedMeanwhile(cause?: unknown): StoreUnavailable {
  return new StoreUnavailable("The file was removed meanwhile. Send it again.", { cause });
}
