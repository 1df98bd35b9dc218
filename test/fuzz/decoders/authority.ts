import { passkeys } from "../../../adapters/passkeys.ts";
import { inspectChain, inspectLeaf } from "../../../domains/acme/inspect.ts";
import { readDer, BadDer, oidOf, timeOf } from "../../../domains/acme/der.ts";
import { firstBlock, readPem, toPem } from "../../../domains/acme/pem.ts";
import { dnsNames, readCsr } from "../../../domains/acme/x509.ts";
import {
  fieldsIn,
  readAccount,
  readAuthorization,
  readDirectory,
  readOrder,
  readProblemDocument,
  readRenewalInfo,
} from "../../../domains/acme/resources.ts";
import { requestProblem, validationProblem } from "../../../domains/model/acme-problem.ts";
import { isObject } from "../../../lib/base/field-error.ts";
import type { Chance } from "../../helpers/chance.ts";
import { ofBytes, ofText, recorded, type Decoder } from "../kit/decoder.ts";
import { bytesOf, listOf, textOf, vector, VISIBLE } from "./writing.ts";

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A DER value: mostly nested sequences and sets of what certificates consist of. */
function der(random: Chance, depth = 5): number[] {
  const [tag, contents] = element(random, depth);
  const { length } = contents;
  if (length < 128 && random.true(0.95))
    return [tag, random.true(0.98) ? length : random.between(0, 255), ...contents];
  return [tag, random.pick([0x81, 0x82, 0x84, 0x80, 0xff]), ...vector(random, 1, contents)];
}

function element(random: Chance, depth: number): readonly [tag: number, contents: number[]] {
  if (depth > 0 && random.true(0.6)) {
    const tag = random.pick([0x30, 0x30, 0x31, 0xa0, 0xa3]);
    return [tag, listOf(0, 5, random, () => der(random, depth - 1)).flat()];
  }
  switch (random.between(0, 4)) {
    case 0:
      return [0x06, random.pick([[0x55, 0x1d, 0x11], [0x55, 0x04, 0x03], bytesOf(random, 0, 12)])];
    case 1:
      return [0x17, [...utf8(random.pick(["261126000000Z", "991231235959Z", "000230000000Z"]))]];
    case 2:
      return [0x82, [...utf8(textOf(random, VISIBLE, 0, 12))]];
    default:
      return [random.pick([0x02, 0x04, 0x01, 0x1f, 0x80]), bytesOf(random, 0, 12)];
  }
}

const nestedDer = (size: number): Uint8Array => {
  const bytes: number[] = [];
  for (let left = size; left > 6; left -= 6)
    bytes.push(0x30, 0x84, left >>> 24, (left >> 16) & 255, (left >> 8) & 255, left & 255);
  return Uint8Array.from(bytes);
};

const NOW = 1_800_000_000_000;
const url = (random: Chance): unknown =>
  random.pick<unknown>([
    "https://ca.example/a/1",
    "https://ca.example/b",
    "http://a",
    "https://[",
    7,
    null,
  ]);

const problem = (random: Chance, depth = 1): object => ({
  type: random.pick([
    "urn:ietf:params:acme:error:rateLimited",
    "urn:ietf:params:acme:error:unauthorized",
    "urn:ietf:params:acme:error:compound",
    "x",
  ]),
  detail: random.pick([
    "retry after 2026-11-21 14:05:00 UTC",
    "The account is deactivated",
    "see https://x.example/sfe/v1/unpause?jwt=a.b.c.",
    textOf(random, VISIBLE, 0, 40),
  ]),
  ...(random.true(0.3) && { instance: url(random) }),
  ...(depth > 0 &&
    random.true(0.4) && {
      subproblems: listOf(0, 3, random, () => ({
        ...problem(random, 0),
        identifier: { type: "dns", value: "a.example" },
      })),
    }),
});

const resource = (random: Chance): string => {
  const names = listOf(0, 3, random, () => ({
    type: random.pick(["dns", "ip"]),
    value: "Pets.example.org",
  }));
  const token = random.pick(["a".repeat(43), "short", textOf(random, VISIBLE, 20, 50)]);
  const challenge = (): object => ({
    type: random.pick(["http-01", "dns-01", "tls-alpn-01", "x"]),
    url: url(random),
    token,
    status: random.pick(["pending", "valid", "invalid"]),
    ...(random.true(0.3) && { error: problem(random) }),
  });
  return JSON.stringify(
    random.pick<() => unknown>([
      () => ({
        status: random.pick(["pending", "ready", "valid", "invalid", "x"]),
        expires: "2026-11-28T00:00:00Z",
        identifiers: names,
        authorizations: listOf(0, 3, random, () => url(random)),
        finalize: url(random),
        certificate: url(random),
        error: problem(random),
      }),
      () => ({
        status: random.pick(["pending", "valid", "invalid"]),
        identifier: names[0],
        challenges: listOf(0, 3, random, challenge),
        wildcard: true,
      }),
      () => ({
        newNonce: url(random),
        newAccount: url(random),
        newOrder: url(random),
        revokeCert: url(random),
        meta: { caaIdentities: ["a", 7], profiles: { classic: "x", __proto__: "y" } },
      }),
      () => ({ status: "valid", contact: ["mailto:a@b.example", 7] }),
      () => ({
        suggestedWindow: { start: "2026-11-20T00:00:00Z", end: "2026-11-21T00:00:00Z" },
        explanationURL: url(random),
      }),
      () => problem(random),
      () => [],
    ])(),
  );
};

/** The certificates of a recorded chain; its parts are put together anew. */
function pem(random: Chance, chains: readonly string[]): string {
  const blocks = chains.flatMap((chain) => {
    const read = readPem(chain);
    return read.ok ? read.value.map(({ der }) => der) : [];
  });
  const some = listOf(1, 3, random, () => {
    const block = blocks[random.between(0, blocks.length - 1)] ?? new Uint8Array();
    if (random.true(0.95)) return toPem("CERTIFICATE", block);
    const damaged = Uint8Array.from(block);
    for (let left = random.between(1, 3); left > 0; left--)
      damaged[random.between(0, damaged.length - 1)] = random.between(0, 255);
    return toPem(
      random.pick(["CERTIFICATE", "CERTIFICATE", "PRIVATE KEY"]),
      damaged.subarray(0, random.true(0.8) ? damaged.length : random.between(0, damaged.length)),
    );
  });
  return some.join(random.pick(["", "\n", "a chain\n", "", "-----BEGIN CERTIFICATE-----\n"]));
}

const party = { id: "petstore.test", origin: "https://petstore.test" };
const expects = async (): Promise<boolean> => true;

/** A CBOR value nested so deep that a reader of it could run out of stack. */
const nestedCbor = (size: number): string =>
  JSON.stringify({
    id: "AA",
    rawId: "AA",
    type: "public-key",
    clientExtensionResults: {},
    response: {
      clientDataJSON: Buffer.from(
        JSON.stringify({ type: "webauthn.create", challenge: "AA", origin: party.origin }),
      ).toString("base64url"),
      attestationObject: Buffer.from(new Uint8Array((size * 3) / 4).fill(0x81)).toString(
        "base64url",
      ),
    },
  });

export function authority(): readonly Decoder[] {
  const chains = recorded("certificate chain");
  const [stored = "{}"] = recorded("stored passkey");
  const passkey: Parameters<typeof passkeys.used>[1] = JSON.parse(stored);
  const [creation = "{}", use = "{}"] = recorded("response of a passkey");
  const requests = recorded("signing request").map((one) => Uint8Array.fromHex(one));
  return [
    ofBytes({
      name: "DER",
      file: "domains/acme/der.ts",
      valid: (random) => Uint8Array.from(der(random)),
      longest: 300_000,
      stretches: 20,
      decode: (bytes) => {
        const read = readDer(bytes);
        for (const one of [read, ...read.members]) {
          if (one.tag === 0x06) oidOf(one);
          if (one.tag === 0x17) timeOf(one);
        }
        dnsNames(bytes);
        return true;
      },
      refuses: (error) => error instanceof BadDer,
      extremes: [
        nestedDer,
        (size) => Uint8Array.from({ length: size }, (_, at) => (at % 2 === 0 ? 0x30 : 0x80)),
      ],
    }),
    ofText({
      name: "certificate chain",
      file: "domains/acme/inspect.ts",
      valid: (random) => pem(random, chains),
      longest: 400_000,
      inputs: 5_000,
      stretches: 10,
      perByteUs: 10,
      decode: (text) => {
        firstBlock("CERTIFICATE", text);
        inspectLeaf(text);
        return inspectChain(text);
      },
      extremes: [
        (size) => "-".repeat(size),
        (size) => `-----${" ".repeat(size)}-----`,
        (size) => "-----BEGIN CERTIFICATE-----\n".repeat(size / 28),
        (size) => `-----BEGIN CERTIFICATE-----\n${"A\n".repeat(size / 2)}`,
        (size) => `-----BEGIN ${"A ".repeat(size / 2)}`,
      ],
    }),
    ofBytes({
      name: "signing request",
      file: "domains/acme/x509.ts",
      valid: (random) =>
        requests[random.between(0, requests.length - 1)] ?? Uint8Array.from(der(random)),
      longest: 64 * 1_024,
      inputs: 2_000,
      stretches: 8,
      perByteUs: 20,
      decode: (bytes) => readCsr(bytes),
    }),
    ofText({
      name: "response of a passkey",
      file: "adapters/passkeys.ts",
      valid: (random) => {
        // Its parts are bytes in base64url: damages some, so that it remains JSON.
        const text = random.pick([creation, use]);
        const parts = text.split('"');
        const index = random.between(0, parts.length - 1);
        const bytes = Buffer.from(parts[index] ?? "", "base64url");
        if (bytes.length < 8 || random.true(0.5)) return text;
        bytes[random.between(0, bytes.length - 1)] = random.pick([
          0, 0x18, 0x1b, 0x5f, 0x7f, 0x81, 0x9f, 0xbb, 0xff,
        ]);
        return parts.with(index, bytes.toString("base64url")).join('"');
      },
      // The largest body.
      longest: 64 * 1_024,
      inputs: 5_000,
      stretches: 8,
      perByteUs: 10,
      nests: [['{"response":', "}"]],
      decode: async (text) => {
        let response: unknown;
        try {
          response = JSON.parse(text);
        } catch {
          return undefined;
        }
        if (!isObject(response)) return undefined;
        const created = await passkeys.created({ party, response, expects });
        return created ?? passkeys.used({ party, response, expects }, passkey);
      },
      extremes: [nestedCbor],
    }),
    ofText({
      name: "answer of a CA",
      file: "domains/acme/resources.ts",
      valid: resource,
      // The longest answer that is read.
      longest: 512 * 1_024,
      inputs: 50_000,
      stretches: 10,
      decode: (text) => {
        const found = fieldsIn(utf8(text));
        const problems = readProblemDocument(utf8(text));
        if (found === undefined || problems === undefined) return undefined;
        requestProblem(problems, 403, NOW);
        validationProblem(problems);
        readAccount(found);
        readDirectory(found);
        readRenewalInfo(found);
        const key = (token: string): string => token;
        return (
          readOrder(found, "https://a/") ?? readAuthorization(found, "https://a/", key) ?? true
        );
      },
      extremes: [
        (size) =>
          JSON.stringify({
            type: "urn:ietf:params:acme:error:unauthorized",
            detail: "account ".repeat(Math.min(1_020, size / 8)),
            subproblems: Array.from({ length: size / 8_300 }, () => ({
              type: "unauthorized",
              detail: "account ".repeat(1_020),
            })),
          }),
        (size) =>
          JSON.stringify({
            type: "x",
            detail: `https://a/unpause${".".repeat(Math.min(8_100, size))}/`,
          }),
        (size) =>
          JSON.stringify({ type: "x", detail: "https://a/".repeat(Math.min(810, size / 10)) }),
        (size) =>
          JSON.stringify({
            type: "x",
            subproblems: Array.from({ length: size / 8_300 }, () => ({
              detail: "https://a/ unpause".padEnd(8_100, " "),
            })),
          }),
      ],
    }),
  ];
}
