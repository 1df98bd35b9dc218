import { describe, expect, test } from "bun:test";

import { issuersOf } from "../../../domains/acme/issuers.ts";
import { ownProblem } from "../../../domains/model/acme-problem.ts";
import type { CertificateAuthority, Directory } from "../../../domains/ports/authority.ts";
import { MINUTE_MS, SECOND_MS } from "../../../lib/base/clock.ts";
import { done, refused } from "../../../lib/base/result.ts";
import { manualClock } from "../../helpers/clock.ts";

const CA = "https://ca.example/directory";

/** A CA with these CAA identities, or an unavailable one. */
function authority(
  id: string,
  identities: () => readonly string[] | undefined,
): CertificateAuthority {
  const directory = async () => {
    const caaIdentities = identities();
    if (caaIdentities === undefined) return refused(ownProblem("unavailable", "It is away."));
    const said: Directory = {
      caaIdentities,
      externalAccountRequired: false,
      renewalInfo: false,
      profiles: {},
    };
    return done(said);
  };
  // Nothing else is called.
  return { id, kind: "acme", directory } as Partial<CertificateAuthority> as CertificateAuthority;
}

function names(
  id: string,
  identities: () => readonly string[] | undefined,
  clock = manualClock(1_795_000_000_000),
) {
  const issuers = issuersOf({
    authorities: [authority(id, identities)],
    store: { accounts: { of: () => undefined } },
    challenges: ["http-01"],
    clock,
  });
  return async () => (await issuers())[0]?.caa?.identities;
}

describe("an issuer's names in CAA records", () => {
  test("are those in its directory", async () => {
    expect(await names(CA, () => ["one.example", "two.example"])()).toEqual([
      "one.example",
      "two.example",
    ]);
  });

  test("are its directory's host if the directory names none", async () => {
    expect(await names(CA, () => [])()).toEqual(["ca.example"]);
  });

  test("are unknown while it is unavailable, and not guessed", async () => {
    let identities: readonly string[] | undefined;
    const clock = manualClock(1_795_000_000_000);
    const ask = names(CA, () => identities, clock);
    expect(await ask()).toEqual([]);
    identities = ["one.example"];
    clock.advance(MINUTE_MS);
    expect(await ask()).toEqual(["one.example"]);
    identities = undefined;
    expect(await ask()).toEqual(["one.example"]);
  });

  test("are asked of an unavailable one once a minute, however many names are checked", async () => {
    let requests = 0;
    const clock = manualClock(1_795_000_000_000);
    const ask = names(CA, () => void requests++, clock);
    for (let second = 0; second < 600; second++) {
      expect(await ask()).toEqual([]);
      clock.advance(SECOND_MS);
    }
    expect(requests).toBe(10);
  });

  test.each(["acme-v02", "acme-staging-v02"])(
    "of Let's Encrypt are known without a request (%s)",
    async (host) => {
      const id = `https://${host}.api.letsencrypt.org/directory`;
      expect(await names(id, () => undefined)()).toEqual(["letsencrypt.org"]);
    },
  );
});
