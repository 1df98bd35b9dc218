import { expect, test } from "bun:test";

import { authority, endpoint, reachable, membership, network } from "../../settings/addresses.ts";
import { duration, instant, integer, oneOf } from "../../settings/values.ts";

test.each([
  ["30s", 30_000],
  ["90m", 5_400_000],
  ["24h", 86_400_000],
  ["7d", 604_800_000],
  ["0s", 0],
  ["3650d", 315_360_000_000],
])("the duration %s is %d milliseconds", (written, ms) => {
  expect(duration(written)).toEqual({ ok: true, value: ms });
});

test.each(["", "24", "h", "1.5h", "-1h", "1w", "1h30m", "9999999999s", "3651d", "1e3s", " 1h"])(
  "%p is not a duration",
  (written) => {
    expect(duration(written).ok).toBe(false);
  },
);

test.each(["", "-1", "1.0", "1e3", "0x10", "101", "9".repeat(20)])(
  "%p is not a number from 0 to 100",
  (written) => {
    expect(integer({ min: 0, max: 100 })(written).ok).toBe(false);
  },
);

test("an unknown choice is refused with a list of the valid ones", () => {
  expect(oneOf(["free", "pro"])("gold")).toEqual({
    ok: false,
    failure: 'must be one of free, pro, not "gold"',
  });
});

test("of many choices, an error names only the one that was probably meant", () => {
  const parse = oneOf(["pet.created", ...Array.from({ length: 12 }, (_, at) => `other.${at}`)]);
  expect(parse("pet.creatd")).toEqual({
    ok: false,
    failure: 'cannot be "pet.creatd". Did you mean pet.created?',
  });
  expect(parse("nothing like it")).toMatchObject({
    failure: expect.stringContaining("must be one of pet.created, other.0, other.1,"),
  });
});

test.each([
  ["127.0.0.1:8080", "127.0.0.1", 8080],
  ["localhost:0", "localhost", 0],
  ["[::1]:80", "::1", 80],
  ["[::]:65535", "::", 65_535],
  [":8080", "", 8080],
])("%s is parsed into host and port", (written, host, port) => {
  expect(endpoint(written)).toEqual({ ok: true, value: { host, port } });
  expect(authority({ host, port })).toBe(written);
});

test.each([
  "",
  "8080",
  "::1:80",
  "host",
  "host:",
  "host:65536",
  "[x]:1",
  "a b:1",
  "1.2.3:80",
  "[1.2.3.4]:80",
])("%p is not an address to listen on", (written) => {
  expect(endpoint(written).ok).toBe(false);
});

test("a listener on all addresses is shown with the loopback address", () => {
  expect(reachable({ host: "::", port: 1 })).toEqual({ host: "127.0.0.1", port: 1 });
  expect(reachable({ host: "", port: 1 })).toEqual({ host: "127.0.0.1", port: 1 });
  expect(reachable({ host: "::1", port: 1 })).toEqual({ host: "::1", port: 1 });
});

test("an address is matched by the networks that contain it, in either form of IPv4", () => {
  const networks = ["10.0.0.0/8", "fd00::/8", "192.0.2.7"].map((written) => {
    const read = network(written);
    if (!read.ok) throw new Error(read.failure);
    return read.value;
  });
  const member = membership(networks);
  expect(["10.9.9.9", "::ffff:10.0.0.1", "fdff::1", "192.0.2.7"].map(member)).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(["11.0.0.1", "::1", "192.0.2.8", "", "10.0.0.1, 10.0.0.2"].map(member)).toEqual([
    false,
    false,
    false,
    false,
    false,
  ]);
});

test.each(["10.0.0.0/33", "10.0.0/8", "fd00::/129", "/8", "10.0.0.0/8/8", "10.0.0.0/", "all"])(
  "%p is not a network",
  (written) => {
    expect(network(written).ok).toBe(false);
  },
);

test.each([
  ["2026-11-20", 1_795_132_800_000],
  ["2026-11-20T09:30:00Z", 1_795_167_000_000],
  ["2026-11-20T10:30:00.5+01:00", 1_795_167_000_500],
])("the time %s is %d", (written, at) => {
  expect(instant(written)).toEqual({ ok: true, value: at });
});

test.each(["yesterday", "2026-11-20T09:30", "2026-02-30", "20261120", "1795167000000", ""])(
  "%p is not a time",
  (written) => {
    expect(instant(written)).toMatchObject({ ok: false });
  },
);
