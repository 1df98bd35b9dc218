import { utf8 } from "../lib/base/digest.ts";
import type { Eventual } from "../lib/base/eventual.ts";
import type { Blobs } from "../lib/publishing/blobs.ts";
import type { ManualClock } from "./clock.ts";
import { rejects } from "./contract-case.ts";
import { contractCase, equal, type ContractCase } from "./contract-case.ts";

/** An empty blob store and its clock. */
export interface BlobsUnderTest {
  readonly blobs: Blobs;
  readonly clock: ManualClock;
  close?(): Eventual<void>;
}

/** SHA-256 of "Rex". */
const REX = "80f1e148f14f3b82aaec65244d7685c1096a8174d748fdc497ecd28ad41ee0b0";
const ABSENT = "0".repeat(64);

/** Returns the contract of every blob store. Each case runs with a store of its own. */
export function blobsContract(open: () => Eventual<BlobsUnderTest>): readonly ContractCase[] {
  const test = (name: string, body: (subject: BlobsUnderTest) => Promise<void>): ContractCase =>
    contractCase(name, open, body);

  return [
    test("a blob is named by the SHA-256 of its content", async ({ blobs }) => {
      equal(await blobs.put(utf8("Rex")), { sha256: REX, size: 3, added: true }, "result of put");
      equal(await text(blobs, REX), "Rex", "content");
      equal(await blobs.size(REX), 3, "size");
    }),

    test("bytes and a stream of them have the same name", async ({ blobs }) => {
      await blobs.put(utf8("Rex"));
      equal(
        await blobs.put(stream(["R", "", "ex"])),
        { sha256: REX, size: 3, added: false },
        "result of put for the stream",
      );
      equal(await names(blobs), [REX], "names");
    }),

    test("an empty blob can be stored", async ({ blobs }) => {
      const { sha256, size } = await blobs.put(stream([]));
      equal([size, await blobs.size(sha256)], [0, 0], "sizes");
      equal(await text(blobs, sha256), "", "content");
      equal(await opened(blobs, sha256), "", "opened content");
    }),

    test("a large stream survives a round trip", async ({ blobs }) => {
      const part = "0123456789abcdef".repeat(4_096);
      const { sha256, size } = await blobs.put(stream(Array.from({ length: 40 }, () => part)));
      equal(size, 40 * part.length, "size");
      equal((await opened(blobs, sha256)) === part.repeat(40), true, "the same");
    }),

    test("a range can be opened, also beyond the end", async ({ blobs }) => {
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
      equal(found, ["0123456789", "0", "3456", "9", "", "56789", ""], "parts");
    }),

    test("a missing blob is undefined, whatever its name", async ({ blobs }) => {
      const { sha256 } = await blobs.put(utf8("Rex"));
      const strange = [ABSENT, "", "..", "..", sha256.toUpperCase(), `${sha256}0`, "\0", "a/b"];
      for (const name of strange) {
        equal(
          [await blobs.size(name), await blobs.read(name), await opened(blobs, name)],
          [undefined, undefined, undefined],
          `found as ${JSON.stringify(name)}`,
        );
        await blobs.delete(name);
      }
      equal(await names(blobs), [sha256], "names");
    }),

    test("content over maxBytes is refused and not stored", async ({ blobs }) => {
      await rejects(blobs.put(utf8("Rex"), { maxBytes: 2 }), "bytes");
      await rejects(blobs.put(stream(["R", "ex"]), { maxBytes: 2 }), "a stream");
      equal(await names(blobs), [], "names");
      equal((await blobs.put(utf8("Rex"), { maxBytes: 3 })).added, true, "exactly maxBytes");
    }),

    test("a stream over maxBytes is cancelled", async ({ blobs }) => {
      let cancelled = false;
      const endless = new ReadableStream<Uint8Array>({
        pull: (controller) => controller.enqueue(new Uint8Array(1_000)),
        cancel: () => {
          cancelled = true;
        },
      });
      await rejects(blobs.put(endless, { maxBytes: 10_000 }), "put");
      equal(cancelled, true, "cancelled");
    }),

    test("a failed stream leaves nothing behind", async ({ blobs }) => {
      const reason = new Error("The line was cut.");
      let rejection: unknown;
      await blobs.put(breaking("Re", reason)).catch((error: unknown) => {
        rejection = error;
      });
      equal(rejection === reason, true, "it rejects with the stream's own reason");
      equal(await names(blobs), [], "names");
    }),

    test("one of several simultaneous puts reports that it added the blob", async ({ blobs }) => {
      const all = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          blobs.put(index % 2 === 0 ? utf8("Rex") : stream(["Rex"])),
        ),
      );
      equal(all.filter(({ added }) => added).length, 1, "added");
      equal(await text(blobs, REX), "Rex", "content");
    }),

    test("putting a blob again updates its time", async ({ blobs, clock }) => {
      await blobs.put(utf8("Rex"));
      const first = clock.now();
      equal(await putAt(blobs, REX), first, "put at");
      clock.advance(5_000);
      await blobs.put(utf8("Rex"));
      equal(await putAt(blobs, REX), first + 5_000, "put again at");
    }),

    test("a deleted blob is missing and can be put again", async ({ blobs }) => {
      await blobs.put(utf8("Rex"));
      await blobs.delete(REX);
      await blobs.delete(REX);
      equal([await blobs.size(REX), await names(blobs)], [undefined, []], "remaining blobs");
      equal((await blobs.put(utf8("Rex"))).added, true, "added");
    }),

    test("a blob put since `putBefore` is not deleted", async ({ blobs, clock }) => {
      await blobs.put(utf8("Rex"));
      clock.advance(60_000);
      const before = clock.now();
      await blobs.put(utf8("Rex"));
      await blobs.delete(REX, before);
      equal(await blobs.size(REX), 3, "size");
      await blobs.delete(REX, before + 1);
      equal(await blobs.size(REX), undefined, "size after");
    }),

    test("a blob deleted while it is put exists when put resolves last", async (subject) => {
      const { blobs, clock } = subject;
      await blobs.put(utf8("Rex"));
      clock.advance(60_000);
      const before = clock.now();
      await Promise.all([blobs.delete(REX, before), blobs.put(utf8("Rex"))]);
      equal(await text(blobs, REX), "Rex", "content");
    }),

    test("an open blob can be read to its end", async ({ blobs }) => {
      const part = "0123456789abcdef".repeat(4_096);
      const { sha256, size } = await blobs.put(stream(Array.from({ length: 40 }, () => part)));
      const body = new Response(await blobs.open(sha256)).body?.getReader();
      const first = await body?.read();
      await blobs.delete(sha256);
      let read = first?.value?.length ?? 0;
      for (let next = await body?.read(); next?.done === false; next = await body?.read()) {
        read += next.value.length;
      }
      equal(read, size, "bytes read");
    }),

    test("writes to read bytes change no blob", async ({ blobs }) => {
      const given = utf8("Rex");
      await blobs.put(given);
      given.fill(0);
      (await blobs.read(REX))?.fill(0);
      equal(await text(blobs, REX), "Rex", "content");
    }),

    test("a list contains each blob once, with its size", async ({ blobs }) => {
      const put: string[] = [];
      for (let index = 0; index < 50; index++) {
        const { sha256, size } = await blobs.put(utf8("Rex ".repeat(index)));
        put.push(`${sha256} ${size}`);
      }
      const found: string[] = [];
      for await (const { sha256, size } of blobs.list()) found.push(`${sha256} ${size}`);
      equal(found.toSorted(), put.toSorted(), "blobs");
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
