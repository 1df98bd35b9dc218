import { stateOf, trustedKeys, type SignedSet } from "../../../domains/dns/dnssec.ts";
import { decodeMessage } from "../../../domains/dns/message.ts";
import { loadCodec, TYPE_NUMBERS } from "../../../domains/dns/packet.ts";
import { readAnswer, readDirectAnswer } from "../../../domains/dns/read-answer.ts";
import { evaluateCaa } from "../../../domains/model/caa.ts";
import type { Chance } from "../../helpers/chance.ts";
import { ofBytes, ofText, type Decoder } from "../kit/decoder.ts";
import {
  bytesOf,
  hostName,
  latin1,
  LETTERS,
  listOf,
  numberIn,
  textOf,
  vector,
  VISIBLE,
} from "./writing.ts";

await loadCodec();

const OPT = 41;
const RRSIG = 46;
const TYPES: readonly [number, ...number[]] = [OPT, RRSIG, 1, 2, ...Object.values(TYPE_NUMBERS)];

/** A name (RFC 1035 §4.1.4): labels, then the root or a pointer to some place in the message. */
function name(random: Chance): number[] {
  const labels = listOf(0, 4, random, () =>
    vector(random, 1, latin1(textOf(random, LETTERS, 1, 10))),
  );
  const end = random.true(0.5)
    ? [0]
    : numberIn(2, 0xc000 + random.pick([12, 12, 12, 0, 16, 20, 40, 300]));
  return [...labels.flat(), ...end];
}

function recordData(random: Chance, type: number): number[] {
  switch (type) {
    case 1:
      return bytesOf(random, 4, 4);
    case TYPE_NUMBERS.AAAA:
      return bytesOf(random, 16, 16);
    case TYPE_NUMBERS.TXT:
      return listOf(0, 3, random, () =>
        vector(random, 1, latin1(textOf(random, VISIBLE, 0, 20))),
      ).flat();
    case TYPE_NUMBERS.MX:
      return [...bytesOf(random, 2, 2), ...name(random)];
    case TYPE_NUMBERS.CAA:
      return [
        random.pick([0, 128]),
        ...vector(random, 1, latin1("issue")),
        ...latin1("letsencrypt.org"),
      ];
    case TYPE_NUMBERS.SOA:
      return [...name(random), ...name(random), ...bytesOf(random, 20, 20)];
    case OPT:
      return listOf(0, 2, random, () => [
        ...numberIn(2, random.pick([15, 8, 10, 3])),
        ...vector(random, 2, bytesOf(random, 0, 12)),
      ]).flat();
    case RRSIG:
      return bytesOf(random, 0, 20);
    default:
      return name(random);
  }
}

function record(random: Chance): number[] {
  const type = random.pick(TYPES);
  const owner = type === OPT ? [0] : random.true(0.7) ? [0xc0, 12] : name(random);
  const kind = type === OPT ? 1_232 : 1;
  return [
    ...owner,
    ...numberIn(2, type),
    ...numberIn(2, kind),
    ...numberIn(4, random.pick([0, 300, 2 ** 31, 2 ** 32 - 1])),
    ...vector(random, 2, recordData(random, type)),
  ];
}

function message(random: Chance): Uint8Array {
  const sections = [3, 1, 2].map((most) => listOf(0, most, random, () => record(random)));
  const counts = sections.map(({ length }) =>
    random.true(0.98) ? length : random.pick([0, 999, 1_001, 65_535]),
  );
  const question = random.true(0.9);
  return Uint8Array.from([
    ...bytesOf(random, 2, 2),
    ...numberIn(2, random.pick([0x8180, 0x8580, 0x8183, 0x8380, 0x0100])),
    ...numberIn(2, question ? 1 : 0),
    ...counts.flatMap((count) => numberIn(2, count)),
    ...(question ? [...latin1("\u0004pets\u0007example\u0003org\0"), 0, 1, 0, 1] : []),
    ...sections.flat(2),
  ]);
}

/** Names that lead through as many pointers as are allowed, in as many records as fit. */
function chained(size: number): Uint8Array {
  const start = 12 + 11;
  const links = Array.from({ length: 126 }, (_, index) =>
    index === 0 ? [1, 97, 0, 0] : [1, 97, ...numberIn(2, 0xc000 + start + 4 * (index - 1))],
  );
  const last = numberIn(2, 0xc000 + start + 4 * 125);
  const holder = [
    0,
    ...numberIn(2, 10),
    0,
    1,
    0,
    0,
    0,
    0,
    ...numberIn(2, 4 * 126),
    ...links.flat(),
  ];
  const count = Math.min(999, Math.floor((size - 600) / 14));
  const records = Array.from({ length: count }, () => [
    ...last,
    0,
    5,
    0,
    1,
    0,
    0,
    0,
    0,
    0,
    2,
    ...last,
  ]);
  const counts = [0, count + 1, 0, 0].flatMap((each) => numberIn(2, each));
  return Uint8Array.from([0, 1, 0x81, 0x80, ...counts, ...holder, ...records.flat()]);
}

/** The key tag in a signature. */
function tagIn(data: Uint8Array): number {
  return (data[16] ?? 0) * 0x100 + (data[17] ?? 0);
}

const request = {
  identities: ["letsencrypt.org"],
  methods: ["http-01"],
  accountUri: "https://a/1",
};

export const dns: readonly Decoder[] = [
  ofBytes({
    name: "DNS message",
    file: "domains/dns/message.ts",
    valid: message,
    longest: 65_535,
    perByteUs: 6,
    extremes: [chained],
    decode: (bytes) => {
      const decoded = decodeMessage(bytes);
      if (decoded === undefined) return undefined;
      readAnswer(decoded, "pets.example.org", "A");
      return readDirectAnswer(decoded, "pets.example.org", "CAA");
    },
  }),
  ofBytes({
    name: "DNSSEC signature and key",
    file: "domains/dns/dnssec.ts",
    // The length of a key, the key, and a signature over it.
    valid: (random) => {
      const algorithm = random.pick([8, 10, 13, 14, 15, 5]);
      const key = [1, 1, 3, algorithm, ...bytesOf(random, 0, 140)];
      const signature = [
        ...numberIn(2, TYPE_NUMBERS.DNSKEY),
        algorithm,
        random.pick([0, 1, 2, 3, 255]),
        ...numberIn(4, 300),
        ...numberIn(4, random.pick([2_000_000_000, 0, 2 ** 32 - 1])),
        ...numberIn(4, random.pick([1_000_000_000, 0, 2 ** 32 - 1])),
        ...bytesOf(random, 2, 2),
        ...(random.true(0.8) ? latin1("\u0007example\u0003org\0") : name(random)),
        ...bytesOf(random, 0, 140),
      ];
      return Uint8Array.from([...numberIn(2, key.length), ...key, ...signature]);
    },
    longest: 65_535,
    inputs: 20_000,
    perByteUs: 20,
    decode: (bytes) => {
      const [high = 0, low = 0] = bytes;
      const key = bytes.subarray(2, 2 + high * 0x100 + low);
      const data = bytes.subarray(2 + key.length);
      const records = { type: "DNSKEY", data: Array.from({ length: 16 }, () => key.toHex()) };
      const set = { name: "example.org", records, signatures: [{ name: "example.org", data }] };
      const budget = { left: 32 };
      const ds = [`0000${(key[3] ?? 0).toString(16).padStart(2, "0")}02${"00".repeat(32)}`];
      trustedKeys(set as SignedSet, ds, { now: 1_795_000_000_000, budget });
      const keys = [0, 1].map(() => ({ algorithm: key[3] ?? 0, tag: tagIn(data), data: key }));
      const given = { zone: "example.org", keys, now: 1_795_000_000_000, budget };
      return stateOf(set as SignedSet, given) !== "unknown";
    },
  }),
  ofText({
    name: "CAA value",
    file: "domains/model/caa.ts",
    valid: (random) => {
      const parameter = (): string =>
        random.pick([
          "validationmethods=http-01,dns-01",
          "accounturi=https://a/1",
          `${textOf(random, LETTERS, 0, 8)} = ${textOf(random, VISIBLE, 0, 8)}`,
        ]);
      const issuer = random.pick(["letsencrypt.org", "", hostName(random)]);
      return [issuer, ...listOf(0, 3, random, parameter)].join(random.pick([";", "; ", " ; "]));
    },
    // A record set of a message with the longest values.
    longest: 64 * 1_024,
    extremes: [
      (size) => `a${" ".repeat(size)}b`,
      (size) => ";".repeat(size),
      (size) => `a;b=c${" ".repeat(size)}d`,
    ],
    decode: (value) => evaluateCaa([{ flags: 0, tag: "issue", value }], request).kind === "allowed",
  }),
];
