import { expect, test } from "bun:test";

import { problems } from "../../../../lib/base/problem.ts";
import { chance, runSeed, torture, type Chance } from "../../../helpers/chance.ts";
import { gzipped, joined, paxEntry, rawEntry, tarEnd } from "../../../helpers/tar.ts";
import { take } from "./take.ts";

const ROUNDS = torture ? 20_000 : 1_500;

/** A small valid archive with every supported feature: pax and GNU names, directories, a site file. */
const honest = joined([
  paxEntry({ comment: "made by hand" }, "g"),
  rawEntry({ name: "./", type: "5" }),
  rawEntry({ name: "petstore.site.json", content: '{"title":"Rex","redirects":[]}' }),
  paxEntry({ path: `${"long/".repeat(30)}é.html`, mtime: "1.5" }),
  rawEntry({ name: "short", content: "<p>Rex</p>".repeat(80) }),
  rawEntry({ name: "././@LongLink", type: "L", content: `${"n".repeat(120)}\0` }),
  rawEntry({ name: "short", content: "x" }),
  rawEntry({ name: "img/", type: "5" }),
  rawEntry({ name: "img/rex.jpg", content: new Uint8Array(1_500).fill(7) }),
  tarEnd,
]);

const digits = new TextEncoder().encode("0123456789");

/** Returns it with some bytes changed, removed, inserted, moved or repeated. */
function mutated(bytes: Uint8Array<ArrayBuffer>, dice: Chance): Uint8Array<ArrayBuffer> {
  let result = bytes.slice();
  for (let count = dice.between(1, 4); count > 0; count--) {
    const at = dice.between(0, result.length - 1);
    const length = dice.pick([1, 2, 8, 100, 512, 1_024]);
    const block = at - (at % 512);
    switch (dice.between(0, 6)) {
      case 0:
        result[at] = dice.between(0, 255);
        break;
      case 1:
        result[at] = dice.pick([0, 0x2e, 0x2f, 0x5c, 0x20, 0x3d, 0x0a, 0x80, 0xff]);
        break;
      case 2:
        result = result.slice(0, at);
        break;
      case 3:
        result = joined([result.subarray(0, block), result.subarray(block + 512)]);
        break;
      case 4:
        result = joined([
          result.subarray(0, at),
          result.subarray(at, at + length),
          result.subarray(at),
        ]);
        break;
      case 5:
        result[block + 156] = dice.pick(
          Array.from("01234567xgLKSVMDN\0", (c) => c.charCodeAt(0)) as [number],
        );
        break;
      default:
        for (let index = 124; index < 135; index++)
          result[block + index] = digits[dice.between(0, 7)] ?? 0;
    }
    if (result.length === 0) return result;
    // Otherwise most changes would only fail the checksum.
    if (dice.true(0.8)) mendChecksums(result);
  }
  return result;
}

/** Corrects the checksum of every block that looks like a header. */
function mendChecksums(tar: Uint8Array): void {
  for (let at = 0; at + 512 <= tar.length; at += 512) {
    const block = tar.subarray(at, at + 512);
    if (!new TextDecoder().decode(block.subarray(257, 262)).startsWith("ust")) continue;
    block.fill(0x20, 148, 156);
    const sum = block.reduce((total, byte) => total + byte, 0);
    block.set(new TextEncoder().encode(`${sum.toString(8).padStart(6, "0")}\0 `), 148);
  }
}

test(`${ROUNDS} manipulated archives are each accepted or refused with a problem`, async () => {
  const dice = chance(runSeed);
  const seen = { taken: 0, refused: new Set<string>() };
  for (let round = 0; round < ROUNDS; round++) {
    const inner = dice.true(0.85);
    const bytes = inner ? gzipped(mutated(honest, dice)) : mutated(gzipped(honest), dice);
    const result = await take(bytes);
    if (result.ok) {
      seen.taken++;
      for (const { path } of result.value.files) {
        expect(path).toMatch(/^(?:\/(?!\.\.?(?:\/|$))[^/\\\p{Cc}]+)+$/u);
      }
    } else {
      seen.refused.add(result.failure.message.replaceAll(/"[^"]*"|\d+/g, "…"));
      expect(problems[result.failure.code].status).toBeLessThan(500);
      expect(result.failure.message).not.toMatch(/[\p{Cc}]/u);
    }
  }
  // A fuzzer that always fails at the same check would test only that check.
  expect(seen.taken).toBeGreaterThan(ROUNDS / 50);
  expect(seen.refused.size).toBeGreaterThan(12);
}, 600_000);
