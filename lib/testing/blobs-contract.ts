import type { Eventual } from "../base/eventual.ts";
import { utf8 } from "../base/digest.ts";
import type { Blobs } from "../publishing/blobs.ts";
import { rejects } from "./assert.ts";
import type { ManualClock } from "./clock.ts";
import { contractCase, expectSame, type ContractCase } from "./contract-case.ts";

/** Blobs of which there are none yet, and the clock they go by. */
export interface BlobsUnderTest {
  readonly blobs: Blobs;
  readonly clock: ManualClock;
  close?(): Eventual<void>;
}

/** SHA-256 of "Rex". */
const REX = "80f1e148f14f3b82aaec65244d7685c1096a8174d748fdc497ecd28ad41ee0b0";
const ABSENT = "0".repeat(64);

/** What all blobs must promise, for the makers of an adapter: each case is run with ones of its own. */
export function blobsContract(open: () => Eventual<BlobsUnderTest>): readonly ContractCase[] {
  const promise = (name: string, body: (subject: BlobsUnderTest) => Promise<void>): ContractCase =>
    contractCase(name, open, body);

  return [
    promise("a blob is named by the SHA-256 of its content", async ({ blobs }) => {
      expectSame(
        await blobs.put(utf8("Rex")),
        { sha256: REX, size: 3, added: true },
        "what put says",
      );
      expectSame(await text(blobs, REX), "Rex", "content");
      expectSame(await blobs.size(REX), 3, "size");
    }),

    promise("bytes and a stream of them have the same name", async ({ blobs }) => {
      await blobs.put(utf8("Rex"));
      expectSame(
        await blobs.put(stream(["R", "", "ex"])),
        { sha256: REX, size: 3, added: false },
        "what put says of the stream",
      );
      expectSame(await names(blobs), [REX], "names");
    }),

    promise("there is a blob of no bytes", async ({ blobs }) => {
      const { sha256, size } = await blobs.put(stream([]));
      expectSame([size, await blobs.size(sha256)], [0, 0], "sizes");
      expectSame(await text(blobs, sha256), "", "content");
      expectSame(await opened(blobs, sha256), "", "what is opened");
    }),

    promise("a large stream comes back as it went in", async ({ blobs }) => {
      const part = "0123456789abcdef".repeat(4_096);
      const { sha256, size } = await blobs.put(stream(Array.from({ length: 40 }, () => part)));
      expectSame(size, 40 * part.length, "size");
      expectSame((await opened(blobs, sha256)) === part.repeat(40), true, "the same");
    }),

    promise("a part can be opened, also one that reaches beyond the end", async ({ blobs }) => {
      const { sha256 } = await blobs.put(utf8("0123456789"));
      const parts = [
        [0, 10],
        [0, 1],
        [3, 7],
        [9, 10],
        [5, 5],
        [5, 99],
        [99, 100],
      ] as const;
      const found: (string | undefined)[] = [];
      for (const [start, end] of parts) found.push(await opened(blobs, sha256, { start, end }));
      expectSame(found, ["0123456789", "0", "3456", "9", "", "56789", ""], "parts");
    }),

    promise("what is not there is undefined, whatever it is called", async ({ blobs }) => {
      const { sha256 } = await blobs.put(utf8("Rex"));
      const strange = [ABSENT, "", "..", "../..", sha256.toUpperCase(), `${sha256}0`, "\0", "a/b"];
      for (const name of strange) {
        expectSame(
          [await blobs.size(name), await blobs.read(name), await opened(blobs, name)],
          [undefined, undefined, undefined],
          `found as ${JSON.stringify(name)}`,
        );
        await blobs.delete(name);
      }
      expectSame(await names(blobs), [sha256], "names");
    }),

    promise("content over maxBytes is refused, and nothing of it stays", async ({ blobs }) => {
      await rejects(blobs.put(utf8("Rex"), { maxBytes: 2 }), "bytes");
      await rejects(blobs.put(stream(["R", "ex"]), { maxBytes: 2 }), "a stream");
      expectSame(await names(blobs), [], "names");
      expectSame((await blobs.put(utf8("Rex"), { maxBytes: 3 })).added, true, "exactly as many");
    }),

    promise("a stream over maxBytes is cancelled", async ({ blobs }) => {
      let cancelled = false;
      const endless = new ReadableStream<Uint8Array>({
        pull: (controller) => controller.enqueue(new Uint8Array(1_000)),
        cancel: () => {
          cancelled = true;
        },
      });
      await rejects(blobs.put(endless, { maxBytes: 10_000 }), "put");
      expectSame(cancelled, true, "cancelled");
    }),

    promise("of a stream that breaks off nothing stays", async ({ blobs }) => {
      const reason = new Error("The line was cut.");
      let told: unknown;
      await blobs.put(breaking("Re", reason)).catch((error: unknown) => {
        told = error;
      });
      expectSame(told === reason, true, "it rejects with the stream's own reason");
      expectSame(await names(blobs), [], "names");
    }),

    promise("put at the same time, of many one says that it was added", async ({ blobs }) => {
      const all = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          blobs.put(index % 2 === 0 ? utf8("Rex") : stream(["Rex"])),
        ),
      );
      expectSame(all.filter(({ added }) => added).length, 1, "added");
      expectSame(await text(blobs, REX), "Rex", "content");
    }),

    promise("what was put again has been put now", async ({ blobs, clock }) => {
      await blobs.put(utf8("Rex"));
      const first = clock.now();
      expectSame(await putAt(blobs, REX), first, "put at");
      clock.advance(5_000);
      await blobs.put(utf8("Rex"));
      expectSame(await putAt(blobs, REX), first + 5_000, "put again at");
    }),

    promise("a deleted blob is gone, and can be put again", async ({ blobs }) => {
      await blobs.put(utf8("Rex"));
      await blobs.delete(REX);
      await blobs.delete(REX);
      expectSame([await blobs.size(REX), await names(blobs)], [undefined, []], "what is left");
      expectSame((await blobs.put(utf8("Rex"))).added, true, "added");
    }),

    promise("a blob put since then is not deleted", async ({ blobs, clock }) => {
      await blobs.put(utf8("Rex"));
      clock.advance(60_000);
      const before = clock.now();
      await blobs.put(utf8("Rex"));
      await blobs.delete(REX, before);
      expectSame(await blobs.size(REX), 3, "size");
      await blobs.delete(REX, before + 1);
      expectSame(await blobs.size(REX), undefined, "size after");
    }),

    promise("a blob deleted while it is put is there when put resolves last", async (subject) => {
      const { blobs, clock } = subject;
      await blobs.put(utf8("Rex"));
      clock.advance(60_000);
      const before = clock.now();
      await Promise.all([blobs.delete(REX, before), blobs.put(utf8("Rex"))]);
      expectSame(await text(blobs, REX), "Rex", "content");
    }),

    promise("what is being read may be read to its end", async ({ blobs }) => {
      const part = "0123456789abcdef".repeat(4_096);
      const { sha256, size } = await blobs.put(stream(Array.from({ length: 40 }, () => part)));
      const body = new Response(await blobs.open(sha256)).body?.getReader();
      const first = await body?.read();
      await blobs.delete(sha256);
      let read = first?.value?.length ?? 0;
      for (let next = await body?.read(); next?.done === false; next = await body?.read()) {
        read += next.value.length;
      }
      expectSame(read, size, "bytes read");
    }),

    promise("what a reader does to the bytes changes no blob", async ({ blobs }) => {
      const given = utf8("Rex");
      await blobs.put(given);
      given.fill(0);
      (await blobs.read(REX))?.fill(0);
      expectSame(await text(blobs, REX), "Rex", "content");
    }),

    promise("a list names each blob once", async ({ blobs }) => {
      const put: string[] = [];
      for (let index = 0; index < 50; index++) {
        put.push((await blobs.put(utf8(`Rex ${index}`))).sha256);
      }
      expectSame(await names(blobs), put.toSorted(), "names");
    }),
  ];
}

function stream(parts: readonly string[]): ReadableStream<Uint8Array> {
  const rest = parts.values();
  return new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const next = rest.next();
      if (next.done === true) controller.close();
      else controller.enqueue(utf8(next.value));
    },
  });
}

function breaking(part: string, reason: Error): ReadableStream<Uint8Array> {
  let begun = false;
  return new ReadableStream<Uint8Array>({
    pull: (controller) => {
      if (begun) controller.error(reason);
      else controller.enqueue(utf8(part));
      begun = true;
    },
  });
}

async function text(blobs: Blobs, sha256: string): Promise<string | undefined> {
  const found = await blobs.read(sha256);
  return found === undefined ? undefined : new TextDecoder().decode(found);
}

async function opened(
  blobs: Blobs,
  sha256: string,
  range?: { readonly start: number; readonly end: number },
): Promise<string | undefined> {
  const body = await blobs.open(sha256, range);
  return body === undefined ? undefined : new Response(body).text();
}

async function names(blobs: Blobs): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { sha256 } of blobs.list()) found.push(sha256);
  return found.toSorted();
}

async function putAt(blobs: Blobs, name: string): Promise<number | undefined> {
  for await (const { sha256, putAt: at } of blobs.list()) if (sha256 === name) return at;
  return undefined;
}
