import { expect, test } from "bun:test";

import { pathIn } from "../../../domains/tls/header-block.ts";
import { CODE, ProtocolError } from "../../../domains/tls/http2-frames.ts";

/** Returns the path in a block, or the code of the error for which the connection is closed. */
function outcomeOf(...block: readonly number[]): string | number | undefined {
  try {
    return pathIn(Buffer.from(block));
  } catch (error) {
    if (error instanceof ProtocolError) return error.code;
    throw error;
  }
}

const text = (value: string): number[] => [value.length, ...Buffer.from(value)];
const PATH = [0x04, ...text("/pets")];
/** RFC 7541 C.4.1. */
const COMPRESSED = [140, ...Buffer.from("f1e3c2e5f23a6ba0ab90f4ff", "hex")];

test.each([
  ["a path with a name of the static table", PATH, "/pets"],
  ["a path with a name of its own", [0x00, ...text(":path"), ...text("/pets")], "/pets"],
  ["the first of two paths", [...PATH, 0x04, ...text("/users")], "/pets"],
  ["a compressed path", [0x04, ...COMPRESSED], "www.example.com"],
  ["no path", [0x82, 0x86], undefined],
  ["nothing", [], undefined],
  ["an integer of five further octets", [0x82, 0xff, 0x80, 0x80, 0x80, 0x80, 0x07], undefined],
])("%s is read", (_name, block, path) => {
  expect(outcomeOf(...block)).toBe(path);
});

test.each([
  ["six further octets", [0xff, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00]],
  ["160 further octets", [0x00, 1, 0x61, 0x7f, ...Array(160).fill(0x80), 0x00]],
  ["2^31 and more", [0xff, 0xff, 0xff, 0xff, 0xff, 0x07]],
  ["an end within an integer", [0xff, 0x80]],
  ["an end before a text", [0x04]],
  ["an end within a text", [0x04, 5, 0x2f]],
  ["an end within a text that is skipped", [0x0f, 0x00, 5, 0x2f]],
  ["a size of the table after a field", [0x82, 0x20]],
  ["the code of EOS", [0x04, 0x84, 0xff, 0xff, 0xff, 0xff]],
  ["eight bits of padding", [0x04, 0x82, 0x07, 0xff]],
  ["padding of zeros", [0x04, 0x81, 0x60]],
])("a block with %s ends the connection", (_name, block) => {
  expect(outcomeOf(...block)).toBe(CODE.compression);
});

test("a block that ends at any byte is refused or read, and never read beyond its end", () => {
  const block = [0x20, ...PATH, 0x00, ...text("a"), ...text("b"), 0x7f, 0x01, ...text("c")];
  for (let end = 0; end <= block.length; end++) {
    const possible: unknown[] = [undefined, "/pets", CODE.compression];
    expect(possible).toContain(outcomeOf(...block.slice(0, end)));
  }
});
