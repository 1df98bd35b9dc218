import { BackupDamaged, type Objects } from "../../backup/ports.ts";
import { contractCase, equal, type ContractCase } from "../../testing/contract-case.ts";
import { Failure } from "../../settings/failure.ts";

/** An empty place for objects, and what its adapter cannot show itself. */
export interface ObjectsUnderTest {
  readonly objects: Objects;
  /** The same place, as another process opens it. */
  readonly again: Objects;
  /** Number of traces that interrupted calls of `put` left. */
  traces(): Promise<number>;
  /** Begins a `put`, and ends its process before the content is complete. */
  interrupt(name: string): Promise<void>;
  close?(): Promise<void>;
}

/** Returns the contract of every place for objects. Each case runs with a place of its own. */
export function objectsContract(open: () => Promise<ObjectsUnderTest>): readonly ContractCase[] {
  const test = (name: string, body: (subject: ObjectsUnderTest) => Promise<void>): ContractCase =>
    contractCase(name, open, body);

  return [
    test("an object survives a round trip, whatever its size", async ({ objects, again }) => {
      // Around the borders of parts.
      for (const size of [0, 1, 100_000, PART - 1, PART, PART + 1, 2 * PART + 7]) {
        await objects.put("one", streamOf(size));
        equal(
          await sumOf(await again.get("one")),
          await sumOf(streamOf(size)),
          `content of ${size}`,
        );
        equal(await names(again, ""), [`one ${size}`], "list");
      }
    }),

    test("a missing object is undefined, and can be deleted", async ({ objects }) => {
      equal((await objects.get("none")) === undefined, true, "get");
      equal(
        (await objects.get("none/at/all")) === undefined,
        true,
        "get below a missing directory",
      );
      await objects.delete("none");
      await objects.delete("none/at/all");
      equal(await names(objects, ""), [], "list");
      equal(await names(objects, "none/"), [], "list of a missing directory");
    }),

    test("an object can be replaced and deleted", async ({ objects, again }) => {
      await objects.put("a/one", textStream("first, and longer"));
      await objects.put("a/one", textStream("second"));
      equal(await text(again, "a/one"), "second", "content");
      await objects.delete("a/one");
      equal((await again.get("a/one")) === undefined, true, "deleted");
      await objects.put("a/one", textStream("third"));
      equal(await text(again, "a/one"), "third", "put again");
    }),

    test("a list contains every object below a prefix once, with its size", async ({ objects }) => {
      const all = ["a", "b/a", "b/b", "b/c/d", "ba", "backups/x.json"];
      for (const name of all) await objects.put(name, textStream(name));
      const sized = (some: readonly string[]) => some.map((name) => `${name} ${name.length}`);
      equal(await names(objects, ""), sized(all), "everything");
      equal(await names(objects, "b/"), sized(["b/a", "b/b", "b/c/d"]), "a directory");
      equal(await names(objects, "b"), sized(all.slice(1)), "the beginning of a name");
      equal(await names(objects, "x"), [], "nothing");
    }),

    test("names can have any characters but dot segments", async ({ objects, again }) => {
      for (const name of ODD) {
        await objects.put(`odd/${name}`, textStream(name));
        equal(await text(again, `odd/${name}`), name, `content of ${name}`);
      }
      equal(
        await names(again, "odd/"),
        ODD.map((name) => `odd/${name} ${Buffer.byteLength(name)}`).toSorted(),
        "list",
      );
      for (const name of ODD) await objects.delete(`odd/${name}`);
      equal(await names(again, ""), [], "list after");
    }),

    test("a failed stream leaves nothing, and its reason arrives", async ({
      objects,
      again,
      traces,
    }) => {
      for (const size of [0, 1_000, PART + 1, 2 * PART + 1]) {
        const reason = new Error("The source broke.");
        const failed = await rejection(objects.put("one", streamOf(size, reason)));
        equal(failed === reason, true, `the reason after ${size} bytes`);
        equal([await names(again, ""), await traces()], [[], 0], `traces after ${size} bytes`);
      }
    }),

    test("a failed stream keeps the object that it would replace", async ({ objects, again }) => {
      await objects.put("one", textStream("whole"));
      await rejection(objects.put("one", streamOf(PART + 1, new Error("The source broke."))));
      equal(await text(again, "one"), "whole", "content");
    }),

    test("verify reads what was stored, and nothing is kept if it rejects", async (subject) => {
      const { objects, again, traces } = subject;
      let read: string | undefined;
      await objects.put("one", streamOf(PART + 5), async (readBack) => {
        read = await sumOf(await readBack());
      });
      equal(read, await sumOf(streamOf(PART + 5)), "read back");
      const wrong = new BackupDamaged("it differs");
      const failed = await rejection(
        objects.put("two", textStream("x"), () => Promise.reject(wrong)),
      );
      equal(failed === wrong, true, "the reason of verify");
      equal([await names(again, ""), await traces()], [[`one ${PART + 5}`], 0], "objects");
    }),

    test("an interrupted put leaves no object, and sweep removes its traces", async (subject) => {
      const { objects, again, interrupt, traces } = subject;
      await objects.put("whole", textStream("whole"));
      await interrupt("a/interrupted");
      equal(await names(again, ""), ["whole 5"], "list");
      equal((await again.get("a/interrupted")) === undefined, true, "get");
      const swept: string[] = [];
      const owned = (answer: boolean) => (name: string) => swept.push(name) > 0 && answer;
      await again.sweep("b", owned(true));
      await again.sweep("a/", owned(false));
      equal([swept, await traces()], [["a/interrupted"], 1], "of others");
      await again.sweep("a/inter", owned(true));
      equal([await names(again, ""), await traces()], [["whole 5"], 0], "after sweep");
    }),

    test("an object can be read in part, and its reader can stop", async ({ objects }) => {
      await objects.put("one", streamOf(2 * PART));
      for (let round = 0; round < 3; round++) {
        const reader = (await objects.get("one"))?.getReader();
        const first = await reader?.read();
        equal((first?.value?.length ?? 0) > 0, true, "a first part");
        await reader?.cancel();
      }
      equal(await sumOf(await objects.get("one")), await sumOf(streamOf(2 * PART)), "content");
    }),

    test("several objects can be written and read at a time", async ({ objects, again }) => {
      const all = Array.from({ length: 20 }, (_, index) => `many/${index}`);
      await Promise.all(all.map((name) => objects.put(name, textStream(name))));
      equal(await Promise.all(all.map((name) => text(again, name))), all, "contents");
    }),
  ];
}

/** Bytes of a part in which the adapters under test send large objects. */
export const PART = 262_144;

/** Awkward in addresses, XML, signatures or file names. */
const ODD: readonly string[] = [
  "a b",
  "a+b",
  "a%2Bb",
  "a&b=c?d#e",
  "<a>\"b'",
  "ü🐕",
  "!*'()~",
  "a\\b",
  "a;b,c:d@e$f",
  "..a",
  "a..",
  "...",
  "a\nb",
  "ends with a space ",
];

/** Streams bytes that depend on their position; ends with `reason` if there is one. */
export function streamOf(size: number, reason?: Error): ReadableStream<Uint8Array> {
  let offset = 0;
  return new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        const length = Math.min(50_007, size - offset);
        if (length > 0) {
          controller.enqueue(new Uint8Array(length).fill(offset % 251));
          offset += length;
        } else if (reason === undefined) controller.close();
        else controller.error(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

export function textStream(content: string): ReadableStream<Uint8Array> {
  return new Blob([content]).stream();
}

/** Size and digest. */
export async function sumOf(stream: ReadableStream<Uint8Array> | undefined): Promise<string> {
  if (stream === undefined) return "missing";
  const hash = new Bun.CryptoHasher("sha256");
  let size = 0;
  for await (const part of stream) {
    hash.update(part);
    size += part.length;
  }
  return `${size} ${hash.digest("hex")}`;
}

async function text(objects: Objects, name: string): Promise<string | undefined> {
  const stream = await objects.get(name);
  return stream && (await new Response(stream).text());
}

export async function names(objects: Objects, prefix: string): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { name, bytes } of objects.list(prefix)) found.push(`${name} ${bytes}`);
  return found.toSorted();
}

async function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => "resolved",
    (error: unknown) => error,
  );
}

/** Returns the exit code and the message of a `Failure`. */
export async function failureOf(promise: Promise<unknown>): Promise<string> {
  const error = await rejection(promise);
  return error instanceof Failure
    ? `${error.exit}: ${error.message}`
    : `no failure: ${String(error)}`;
}
