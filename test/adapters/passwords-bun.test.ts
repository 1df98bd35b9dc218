import { describe, expect, test } from "bun:test";

import { bunPasswords } from "../../adapters/passwords-bun.ts";
import { effortMs } from "../helpers/effort.ts";

describe("hashing passwords with Bun", () => {
  test("gives argon2id with 19 MiB and two passes, different each time", async () => {
    const [one, two] = [await bunPasswords.hash("otters"), await bunPasswords.hash("otters")];
    expect(one).toStartWith("$argon2id$v=19$m=19456,t=2,p=1$");
    expect(one).not.toBe(two);
    expect(await bunPasswords.verify(one, "otters")).toBe(true);
    expect(await bunPasswords.verify(one, "Otters")).toBe(false);
  });

  test("takes as long without a hash as with one, and fails", async () => {
    const hash = await bunPasswords.hash("otters");
    const time = (compared: string | undefined): Promise<number> =>
      effortMs(async () => {
        expect(await bunPasswords.verify(compared, "foxes")).toBe(false);
      });
    const times = { known: Infinity, unknown: Infinity };
    for (let round = 0; round < 5; round++) {
      times.known = Math.min(times.known, await time(hash));
      times.unknown = Math.min(times.unknown, await time(undefined));
    }
    // Without hashing it would take a thousandth.
    expect(times.unknown).toBeGreaterThan(times.known / 3);
  });
});
