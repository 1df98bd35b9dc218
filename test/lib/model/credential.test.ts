import { expect, test } from "bun:test";
import * as fc from "fast-check";

import { systemRandom } from "../../../lib/base/id.ts";
import { parseToken } from "../../../lib/model/api-key.ts";
import { parseCredential } from "../../../lib/model/credential.ts";
import { createCredential, createToken } from "../../../lib/model/new-credential.ts";
import { runSeed } from "../../helpers/chance.ts";

test("a created credential can be parsed", () => {
  const { token, ...parts } = createCredential(systemRandom, "manage");
  expect(parseCredential(token)).toEqual(parts);
  expect(token).toHaveLength("pet_manage_".length + 10 + 1 + 32 + 6);
});

test("any one wrong character is detected", () => {
  const { token } = createCredential(systemRandom, "setup");
  fc.assert(
    fc.property(
      fc.nat(token.length - 1),
      fc.constantFrom("a", "Z", "0", "_", " ", "é"),
      (at, wrong) => {
        const typo = token.slice(0, at) + wrong + token.slice(at + 1);
        expect(parseCredential(typo) === undefined).toBe(typo !== token);
      },
    ),
    { seed: runSeed },
  );
});

test("an API key has one of the environments, and other credentials are not API keys", () => {
  expect(parseToken(createToken(systemRandom, "staging").token)?.environment).toBe("staging");
  expect(parseToken(createToken(systemRandom, "production").token)?.environment).toBe("production");
  expect(parseToken(createCredential(systemRandom, "manage").token)).toBeUndefined();
});
