import { afterAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { directoryBlobs } from "../../adapters/files/blobs.ts";
import { createClosing } from "../../lib/base/closing.ts";
import { systemRandom } from "../../lib/base/id.ts";
import { joined, readAway } from "../../lib/base/parts.ts";
import { bodyReader } from "../../lib/http/body.ts";
import { createSpool } from "../../lib/import/job/spool.ts";
import { receivePicture } from "../../lib/photos/receive.ts";
import type { Blobs } from "../../lib/publishing/blobs.ts";
import { ingest } from "../../lib/publishing/ingest/ingest.ts";
import { memoryBlobs } from "../../lib/publishing/memory-blobs.ts";
import { manualClock } from "../../testing/clock.ts";
import { openPublishing, START } from "../helpers/publishing.ts";
import { must } from "../helpers/outcome.ts";
import { inShortPieces } from "../helpers/short-pieces.ts";
import { rawEntry, tarEnd } from "../helpers/tar.ts";

/** Sends a body to one of its readers. Resolves with the bytes and the number of parts that the reader has passed on. */
type Send = (body: ReadableStream<Uint8Array>) => Promise<Received>;

interface Received {
  /** Absent if the body is dropped, or unpacked. */
  readonly bytes?: Uint8Array | undefined;
  /** Absent if the body is not passed on. */
  readonly parts?: number;
}

const LENGTH = 100_000;
/** So many parts may come of it: two of 64 KiB, and the head of a spooled file. */
const MOST_PARTS = 3;
/** The pieces between two pauses, and what a stream keeps ready. */
const MOST_IN_A_TURN = 1_002;
/** A reader that writes or unpacks each piece alone takes a turn for each. */
const MOST_TURNS = LENGTH / 100;

const noise = crypto.getRandomValues(new Uint8Array(LENGTH / 2));
const bytes = joined([noise, noise]);
const archive = Bun.gzipSync(
  Buffer.concat([rawEntry({ name: "index.html", content: bytes }), tarEnd]),
  { level: 0 },
);

/** Counts the parts in which a stream is read. */
function countParts(content: ReadableStream<Uint8Array>) {
  let parts = 0;
  const stream = content.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (part, controller) => {
        parts++;
        controller.enqueue(part);
      },
    }),
  );
  return { stream, parts: () => parts };
}

const request = (body: ReadableStream<Uint8Array>): Request =>
  new Request("http://pets.test/", { method: "POST", body });
const bodies = bodyReader(manualClock(START), createClosing());

/** Sends the file of an import to a spool over such blobs. */
const toSpool =
  (blobs: Blobs): Send =>
  async (body) => {
    let parts: (() => number) | undefined;
    const put: Blobs["put"] = (content) => {
      if (content instanceof Uint8Array) throw new TypeError("The file is not a stream.");
      const counting = countParts(content);
      ({ parts } = counting);
      return blobs.put(counting.stream);
    };
    const spool = createSpool({ ...blobs, put }, systemRandom);
    const { file } = must(await spool.put(body, { accountId: "acc_one", stored: () => 0 }));
    const stored = await spool.open(file);
    const read: Uint8Array[] = [];
    for await (const part of stored?.open(0, stored.size) ?? []) read.push(part);
    return { bytes: joined(read), parts: parts?.() ?? 0 };
  };

const toBlobs =
  (blobs: Blobs): Send =>
  async (body) => {
    const { sha256 } = await blobs.put(body);
    return { bytes: await blobs.read(sha256) };
  };

const folder = await mkdtemp(join(tmpdir(), "petstore-pieces-"));
afterAll(() => rm(folder, { recursive: true }));
const directory = directoryBlobs({ path: join(folder, "blobs"), durable: false });

const readers: Readonly<Record<string, Send>> = {
  "a body of unknown length": async (body) => ({
    bytes: must(await bodies.read(request(body), LENGTH)),
  }),
  "a refused body": async (body) => {
    await bodies.dropRest(request(body));
    return {};
  },
  "a body that a front drops": async (body) => {
    expect(await readAway(body.getReader(), LENGTH)).toBe(true);
    return {};
  },
  "a picture": async (body) => {
    const parts = must(await receivePicture(body, manualClock(START)));
    return { bytes: joined(parts), parts: parts.length };
  },
  "the archive of a deploy": async (body) => {
    let parts: (() => number) | undefined;
    const { projects, store } = await openPublishing({
      ingest: (sent, options) => {
        const counting = countParts(sent);
        ({ parts } = counting);
        return ingest(counting.stream, options);
      },
    });
    const project = must(
      await projects.create({ accountId: "acc_one", name: "Dogs", slug: "dogs" }),
    );
    must(await projects.deploys.create(project.id, { archive: body, author: "Ada" }));
    await store.close();
    return { parts: parts?.() ?? 0 };
  },
  "the file of an import, in memory": toSpool(memoryBlobs()),
  "the file of an import, in a directory": toSpool(directory),
  "a blob in memory": toBlobs(memoryBlobs()),
  "a blob in a directory": toBlobs(directory),
};

for (const [name, send] of Object.entries(readers)) {
  test(`${name} may arrive in very short pieces: they are joined, and others have their turns`, async () => {
    const sent = name.startsWith("the archive") ? archive : bytes;
    const { body, counted } = inShortPieces(sent);
    const received = await send(body);
    const { turns, most } = counted();
    expect(most).toBeLessThanOrEqual(MOST_IN_A_TURN);
    expect(turns).toBeLessThanOrEqual(MOST_TURNS);
    expect(received.parts ?? 0).toBeLessThanOrEqual(MOST_PARTS);
    if (received.bytes !== undefined) expect(Buffer.compare(received.bytes, sent)).toBe(0);
  });
}
