import { expect, test } from "bun:test";
import * as fc from "fast-check";

import { MAX_HELLO_BYTES, readClientHello } from "../../../domains/tls/client-hello.ts";
import { clientHello, inRecords, type HelloContent } from "../../helpers/client-hello.ts";

const read = (content: HelloContent) => readClientHello(inRecords(clientHello(content)));

test("the server name and the protocols are read", () => {
  expect(read({ serverName: "pets.test", protocols: ["h2", "http/1.1"] })).toEqual({
    serverName: "pets.test",
    protocols: ["h2", "http/1.1"],
  });
});

test("extensions may be absent", () => {
  expect(read({})).toEqual({ serverName: undefined, protocols: [] });
});

test("a server name is normalized: letter case and trailing dot", () => {
  expect(read({ serverName: "Pets.TEST." })).toMatchObject({ serverName: "pets.test" });
});

test.each([
  "",
  ".",
  "a..test",
  "pets.test\0",
  "pets test",
  "bücher.test",
  `${"a".repeat(64)}.test`,
])("a server name that cannot be a host is ignored: %p", (serverName) => {
  expect(read({ serverName })).toMatchObject({ serverName: undefined });
});

test("a server name longer than DNS allows is rejected", () => {
  const labels = Array.from({ length: 64 }, () => "abc").join(".");
  expect(read({ serverName: labels.slice(0, 253) })).toMatchObject({
    serverName: labels.slice(0, 253),
  });
  expect(read({ serverName: labels.slice(0, 254) })).toMatchObject({ serverName: undefined });
});

test("a client hello may span several records", () => {
  const hello = clientHello({ serverName: "pets.test", protocols: ["h2"] });
  for (const size of [1, 3, 4, 5, 50]) {
    expect(readClientHello(inRecords(hello, size))).toMatchObject({ serverName: "pets.test" });
  }
});

test("every prefix of a client hello is incomplete, and following bytes do not matter", () => {
  const bytes = inRecords(clientHello({ serverName: "pets.test", protocols: ["h2"] }), 40);
  for (let length = 0; length < bytes.length; length++) {
    expect(readClientHello(bytes.subarray(0, length))).toBe("partial");
  }
  const more = Uint8Array.of(...bytes, 23, 3, 3, 0, 1, 0);
  expect(readClientHello(more)).toMatchObject({ serverName: "pets.test" });
});

test.each([
  ["a request in the clear", new TextEncoder().encode("GET / HTTP/1.1\r\n\r\n")],
  ["an alert", Uint8Array.of(21, 3, 1, 0, 2, 1, 0)],
  ["another handshake message", Uint8Array.of(22, 3, 1, 0, 4, 2, 0, 0, 0)],
  ["SSL 2", Uint8Array.of(0x80, 0x2e, 1, 3, 1)],
  ["another major version", Uint8Array.of(22, 4, 0, 0, 4, 1, 0, 0, 0)],
  ["a record without a byte", Uint8Array.of(22, 3, 1, 0, 0)],
  ["a record that is too long", Uint8Array.of(22, 3, 1, 0x40, 1)],
  ["a message without content", Uint8Array.of(22, 3, 1, 0, 4, 1, 0, 0, 0)],
])("%s is not a client hello", (_what, bytes) => {
  expect(readClientHello(bytes)).toBeUndefined();
});

test("a client hello that is too long is rejected by its length, before it has arrived", () => {
  const body = MAX_HELLO_BYTES - 4;
  const head = (length: number) => Uint8Array.of(22, 3, 1, 0, 4, 1, 0, length >> 8, length & 255);
  expect(readClientHello(head(body))).toBe("partial");
  expect(readClientHello(head(body + 1))).toBeUndefined();
});

test("at most twenty protocols are read", () => {
  const protocols = Array.from({ length: 30 }, (_, index) => `p${index}`);
  expect(read({ protocols })).toMatchObject({ protocols: protocols.slice(0, 20) });
});

test("inconsistent lengths make a client hello invalid", () => {
  const bytes = inRecords(clientHello({ serverName: "pets.test" }));
  // The length of the list of extensions, one more than its actual length.
  const at = bytes.length - 2 - 4 - 2 - 3 - "pets.test".length;
  bytes[at + 1] = (bytes[at + 1] ?? 0) + 1;
  expect(readClientHello(bytes)).toBeUndefined();
});

test("random bytes are read, awaited or rejected, without an exception", () => {
  const bytes = inRecords(
    clientHello({ serverName: "pets.test", protocols: ["h2", "acme-tls/1"] }),
  );
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { maxLength: 4 }),
      fc.nat(bytes.length),
      (changes, length) => {
        const broken = Uint8Array.from(bytes);
        for (const [at, value] of changes) broken[at] = value;
        const hello = readClientHello(broken.subarray(0, length));
        return hello === undefined || hello === "partial" || Array.isArray(hello.protocols);
      },
    ),
    { numRuns: 2_000 },
  );
});
