import { beforeAll, describe, expect, test } from "bun:test";

import { inspectChain } from "../../../domains/acme/inspect.ts";
import { createPrivateKeyPem, keyFingerprint } from "../../../domains/acme/keys.ts";
import { faultOfChain } from "../../../domains/model/certificate.ts";
import { DAY_MS } from "../../../lib/base/clock.ts";
import { makeChain, type ChainOptions } from "../../helpers/chain.ts";

const now = Date.UTC(2026, 10, 21, 12);
const names = ["pets.test", "www.pets.test"];

let key: string;
beforeAll(async () => {
  key = await createPrivateKeyPem();
});

const chain = (more: Partial<ChainOptions> = {}) => makeChain({ names, key, now, ...more });

/** Returns the fault of a chain ordered for `names` and `key`. */
function faultIn(parts: readonly string[]): string | undefined {
  const facts = inspectChain(parts.join(""));
  const expected = { names, publicKey: keyFingerprint(key), now };
  return facts === undefined ? "unreadable" : faultOfChain(facts, expected)?.code;
}

test("the facts of a certificate are those it was created with", async () => {
  const facts = inspectChain((await chain()).join(""));
  expect(facts?.certificates[0]).toEqual({
    names,
    issuer: "issuer 1",
    subject: "",
    notBefore: now - DAY_MS,
    notAfter: now + 90 * DAY_MS,
    publicKey: keyFingerprint(key),
    authority: false,
    server: true,
    serial: expect.stringMatching(/^[\da-f]{32}$/),
    fingerprint: expect.stringMatching(/^[\da-f]{64}$/),
    renewalId: expect.stringMatching(/^[\w-]{27}\.[\w-]{22,23}$/),
  });
  const [, serial = ""] = facts?.certificates[0].renewalId?.split(".") ?? [];
  expect(Buffer.from(serial, "base64url").toString("hex")).toBe(
    facts?.certificates[0].serial ?? "",
  );
  expect(facts?.signedByNext).toEqual([true]);
});

for (const length of [1, 2, 3, 4, 5]) {
  test(`a chain of ${length} is accepted`, async () => {
    expect(faultIn(await chain({ length }))).toBeUndefined();
  });
}

describe("is refused:", () => {
  test("a chain of six", async () => {
    expect(faultIn(await chain({ length: 6 }))).toBe("too_long");
  });

  test("a certificate for another name", async () => {
    expect(faultIn(await chain({ names: ["other.test", "www.pets.test"] }))).toBe("wrong_names");
  });

  test("a certificate with missing names, and one with extra names", async () => {
    expect(faultIn(await chain({ names: ["pets.test"] }))).toBe("wrong_names");
    expect(faultIn(await chain({ names: [...names, "more.test"] }))).toBe("wrong_names");
  });

  test("a certificate for another key", async () => {
    expect(faultIn(await chain({ key: await createPrivateKeyPem() }))).toBe("wrong_key");
  });

  test("a certificate that expired, to the second", async () => {
    expect(faultIn(await chain({ notAfter: now }))).toBeUndefined();
    expect(faultIn(await chain({ notAfter: now - 1_000 }))).toBe("expired");
  });

  test("a certificate whose issuer has expired", async () => {
    expect(faultIn(await chain({ issuerNotAfter: now - 1_000 }))).toBe("expired");
  });

  test("a certificate that is not valid yet, with the instant when it will be", async () => {
    const facts = inspectChain((await chain({ notBefore: now + DAY_MS })).join(""));
    const fault = facts && faultOfChain(facts, { names, publicKey: keyFingerprint(key), now });
    expect(fault).toMatchObject({ code: "not_yet_valid", validFrom: now + DAY_MS });
  });

  test("a certificate whose issuer is not valid yet", async () => {
    expect(faultIn(await chain({ issuerNotBefore: now + DAY_MS }))).toBe("not_yet_valid");
  });

  test("a certificate for clients only, but not one for servers or for any use", async () => {
    const [client, server, any] = [
      "1.3.6.1.5.5.7.3.2",
      "1.3.6.1.5.5.7.3.1",
      "2.5.29.37.0",
    ] as const;
    expect(faultIn(await chain({ purposes: [client] }))).toBe("wrong_purpose");
    expect(faultIn(await chain({ purposes: [client, server] }))).toBeUndefined();
    expect(faultIn(await chain({ purposes: [any] }))).toBeUndefined();
  });

  test("a leaf that may sign certificates", async () => {
    expect(faultIn(await chain({ leafIsAuthority: true }))).toBe("leaf_is_authority");
  });

  test("an issuer that may not sign certificates", async () => {
    expect(faultIn(await chain({ issuersAreAuthorities: false }))).toBe("issuer_is_no_authority");
  });

  test("a chain in the wrong order, and one with an unrelated certificate", async () => {
    const [leaf = "", first = "", second = ""] = await chain({ length: 3 });
    const [, stranger = ""] = await chain({ length: 2 });
    expect(faultIn([leaf, second, first])).toBe("broken_chain");
    expect(faultIn([leaf, stranger])).toBe("broken_chain");
    expect(faultIn([first, leaf, second])).toBe("wrong_key");
  });

  test("an invalid signature", async () => {
    const [leaf = "", issuer = ""] = await chain();
    const body = Buffer.from(leaf.replaceAll(/-----[^-]+-----|\s/g, ""), "base64");
    body[body.length - 1] = (body.at(-1) ?? 0) ^ 1;
    const forged = `-----BEGIN CERTIFICATE-----\n${body.toString("base64")}\n-----END CERTIFICATE-----\n`;
    expect(faultIn([forged, issuer])).toBe("broken_chain");
  });

  test("a text that is not a certificate", async () => {
    const [leaf = ""] = await chain();
    const cut = leaf.replace(/\n[^\n]+\n-----END/, "\n-----END");
    for (const unreadable of ["", "hello", leaf.replaceAll("CERTIFICATE", "PUBLIC KEY"), cut]) {
      expect(faultIn([unreadable])).toBe("unreadable");
    }
  });

  test("a chain that is too long", async () => {
    const [leaf = ""] = await chain();
    expect(faultIn([leaf, "#".repeat(400_000)])).toBe("unreadable");
    expect(faultIn(Array.from({ length: 11 }, () => leaf))).toBe("unreadable");
  });
});
