import { describe, expect, test } from "bun:test";

import { encodedField, FieldDecoder } from "../../../domains/tls/hpack.ts";
import { CODE, ProtocolError } from "../../../domains/tls/http2-frames.ts";

type Read = readonly (readonly [name: string, value: string])[];

/** Returns the fields of a block, or the code of the error for which the connection is closed. */
function read(decoder: FieldDecoder, block: Uint8Array): Read | number {
  const fields: [string, string][] = [];
  try {
    decoder.decode(Buffer.from(block), ({ name, value }) => void fields.push([name, value]));
    return fields;
  } catch (error) {
    if (error instanceof ProtocolError) return error.code;
    throw error;
  }
}

const decoded = (...block: readonly number[]): Read | number =>
  read(new FieldDecoder(), Uint8Array.from(block));
const hex = (text: string): Buffer => Buffer.from(text.replaceAll(" ", ""), "hex");
const text = (value: string): number[] => [value.length, ...Buffer.from(value)];
const PATH = [0x04, ...text("/pets")];

describe("the examples of RFC 7541", () => {
  const first = [
    [":method", "GET"],
    [":scheme", "http"],
    [":path", "/"],
    [":authority", "www.example.com"],
  ] as const;
  const second = [...first, ["cache-control", "no-cache"]] as const;
  const third = [
    [":method", "GET"],
    [":scheme", "https"],
    [":path", "/index.html"],
    [":authority", "www.example.com"],
    ["custom-key", "custom-value"],
  ] as const;

  test.each([
    [
      "C.3, plain",
      [
        "8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d",
        "8286 84be 5808 6e6f 2d63 6163 6865",
        "8287 85bf 400a 6375 7374 6f6d 2d6b 6579 0c63 7573 746f 6d2d 7661 6c75 65",
      ],
    ],
    [
      "C.4, compressed",
      [
        "8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff",
        "8286 84be 5886 a8eb 1064 9cbf",
        "8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf",
      ],
    ],
  ])("%s", (_name, blocks) => {
    const decoder = new FieldDecoder();
    expect(blocks.map((block) => read(decoder, hex(block)))).toEqual([first, second, third]);
    expect(decoder.bytes).toBe(164);
  });
});

test("what was decoded is the same again as literals without a table", () => {
  const decoder = new FieldDecoder();
  const long = "x".repeat(300);
  const block = [0x82, 0x40, ...text("a"), 0x7f, 0xad, 0x01, ...Buffer.from(long), 0xbe];
  let encoded = "";
  decoder.decode(Buffer.from(block), (field) => void (encoded += field.encoded));
  expect(read(new FieldDecoder(), Buffer.from(encoded, "latin1"))).toEqual([
    [":method", "GET"],
    ["a", long],
    ["a", long],
  ]);
});

test.each([0, 1, 126, 127, 128, 254, 255, 4_000, 20_000])(
  "names and values of %d bytes survive, through the table too",
  (length) => {
    const [name, value] = ["n".repeat(length), "v".repeat(length)];
    const literal = Buffer.from(encodedField(name, value), "latin1");
    literal[0] = 0x40;
    const decoder = new FieldDecoder();
    expect(read(decoder, literal)).toEqual([[name, value]]);
    const kept = 2 * length + 32 <= 4_096;
    expect(read(decoder, Uint8Array.of(0xbe))).toEqual(kept ? [[name, value]] : CODE.compression);
  },
);

test("the table keeps at most 4,096 bytes, and less if the client says so", () => {
  const decoder = new FieldDecoder();
  for (let count = 0; count < 500; count++) {
    read(decoder, Uint8Array.of(0x40, ...text(`n${count}`), ...text("value")));
  }
  expect(decoder.bytes).toBeLessThanOrEqual(4_096);
  expect(read(decoder, Uint8Array.of(0xbe))).toEqual([["n499", "value"]]);
  expect(read(decoder, Uint8Array.of(0x3f, 0x13, 0xbe))).toEqual([["n499", "value"]]);
  expect(decoder.bytes).toBe(41);
  expect(read(decoder, Uint8Array.of(0x20, 0xbe))).toBe(CODE.compression);
  expect(decoder.bytes).toBe(0);
});

test.each([
  ["a path with a name of the static table", PATH, [[":path", "/pets"]]],
  ["a field that no table may keep", [0x10, ...text("a"), ...text("b")], [["a", "b"]]],
  ["nothing", [], []],
  [
    "an integer of five further octets",
    [0x3f, 0x80, 0x80, 0x80, 0x80, 0x00, 0x82],
    [[":method", "GET"]],
  ],
])("%s is read", (_name, block, fields) => {
  expect(decoded(...block)).toEqual(fields as never);
});

test.each([
  ["six further octets", [0xff, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00]],
  ["160 further octets", [0x00, 1, 0x61, 0x7f, ...Array(160).fill(0x80), 0x00]],
  ["2^31 and more", [0x3f, 0xff, 0xff, 0xff, 0xff, 0x07]],
  ["a table of more than 4,096 bytes", [0x3f, 0xe2, 0x1f]],
  ["an end within an integer", [0xff, 0x80]],
  ["an end before a text", [0x04]],
  ["an end within a text", [0x04, 5, 0x2f]],
  ["an end before a value", [0x00, ...text("a")]],
  ["a size of the table after a field", [0x82, 0x20]],
  ["index 0", [0x80]],
  ["an index beyond the tables", [0xbe]],
  ["a name beyond the tables", [0x7f, 0x00, ...text("a")]],
  ["the code of EOS", [0x04, 0x84, 0xff, 0xff, 0xff, 0xff]],
  ["eight bits of padding", [0x04, 0x82, 0x07, 0xff]],
  ["padding of zeros", [0x04, 0x81, 0x60]],
])("a block with %s ends the connection", (_name, block) => {
  expect(decoded(...block)).toBe(CODE.compression);
});

test("a block that ends at any byte is refused or read", () => {
  const block = [0x20, ...PATH, 0x00, ...text("a"), ...text("b"), 0x7f, 0x01, ...text("c")];
  for (let end = 0; end <= block.length; end++) {
    const outcome = decoded(...block.slice(0, end));
    expect(Array.isArray(outcome) || outcome === CODE.compression).toBe(true);
  }
});
