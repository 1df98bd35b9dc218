import { expect, test } from "bun:test";

import { joined, partReader, readParts } from "../../../lib/base/parts.ts";
import { rejection } from "../../helpers/rejection.ts";

const KIB = 1_024;

/** Returns a stream, and what it is fed through. */
function open() {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  return { reader: readable.getReader(), writer: writable.getWriter() };
}

/** Returns a reader of pieces that have arrived already. */
function arrived(...pieces: readonly Uint8Array[]) {
  return new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  }).getReader();
}

const filled = (length: number, value: number): Uint8Array => new Uint8Array(length).fill(value);

test("short pieces are joined, and long ones stay as they are, in their order", async () => {
  const long = filled(100 * KIB, 3);
  const pieces = [filled(1, 1), filled(40 * KIB, 2), long, new Uint8Array(), filled(30 * KIB, 4)];
  const next = partReader(arrived(...pieces, filled(40 * KIB, 5)));
  const parts: Uint8Array[] = [];
  for (let part = await next(); part !== undefined; part = await next()) parts.push(part);
  expect(parts.map(({ length }) => length)).toEqual([40 * KIB + 1, 100 * KIB, 30 * KIB, 40 * KIB]);
  expect(parts[1]).toBe(long);
  expect(joined(parts)).toEqual(joined([...pieces, filled(40 * KIB, 5)]));
  expect(await next()).toBeUndefined();
});

test("a part does not wait for pieces that have not arrived", async () => {
  const { reader, writer } = open();
  const next = partReader(reader);
  void writer.write(filled(1, 1));
  void writer.write(filled(1, 2));
  expect(await next()).toEqual(Uint8Array.of(1, 2));
  const waiting = next();
  void writer.write(filled(1, 3));
  expect(await waiting).toEqual(Uint8Array.of(3));
  await writer.close();
  expect(await next()).toBeUndefined();
});

test("what arrived before a failure is read before it", async () => {
  const failure = new Error("reset");
  const pieces = [Promise.resolve({ value: filled(1, 1) }), Promise.reject(failure)];
  const next = partReader({ read: async () => pieces.shift() ?? {} });
  expect(await next()).toEqual(Uint8Array.of(1));
  expect(await rejection(next())).toBe(failure);
});

test("a source may write its next piece into the memory of the last", async () => {
  for (const size of [1, 70 * KIB]) {
    const memory = new Uint8Array(size);
    let sent = 0;
    const next = partReader({
      read: async () => (sent === 3 ? {} : { value: memory.fill(++sent) }),
    });
    const values = new Set<number>();
    for (let part = await next(); part !== undefined; part = await next()) {
      for (const value of part) values.add(value);
    }
    expect([...values]).toEqual([1, 2, 3]);
  }
});

test("a body that is too long is not read further", async () => {
  let read = 0;
  const endless = { read: async () => ({ value: filled(10, ++read) }) };
  expect(await readParts(endless, 99)).toBeUndefined();
  expect(read).toBe(10);
  read = 0;
  expect(
    await readParts({ read: async () => (read === 9 ? {} : endless.read()) }, 90),
  ).toHaveLength(1);
});
