import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { acmeAuthority } from "../../../domains/acme/acme-authority.ts";
import { httpsExchange } from "../../../domains/acme/exchange.ts";
import { inspectChain } from "../../../domains/acme/inspect.ts";
import { keyFingerprint } from "../../../domains/acme/keys.ts";
import { faultOfChain } from "../../../domains/model/certificate.ts";
import { systemClock } from "../../../lib/base/clock.ts";
import { startChallengeServers, type ChallengeServers } from "../../helpers/challenge-servers.ts";
import { issue, newAccount, proveBy } from "../../helpers/issuance.ts";
import { pebbleMissing, startPebble, type Pebble } from "../../helpers/pebble.ts";

describe.skipIf(pebbleMissing !== undefined)(`Pebble (${pebbleMissing ?? "is here"})`, () => {
  let servers: ChallengeServers;
  let pebble: Pebble;

  beforeAll(async () => {
    servers = await startChallengeServers();
    pebble = await startPebble(servers);
  });
  afterAll(async () => {
    await pebble[Symbol.asyncDispose]();
    await servers[Symbol.asyncDispose]();
  });

  const authority = () =>
    acmeAuthority({
      directoryUrl: pebble.directoryUrl,
      clock: systemClock,
      exchange: httpsExchange({
        clock: systemClock,
        userAgent: "petstore-tests",
        extraRoots: pebble.listenerCertificate,
      }),
    });

  for (const type of ["http-01", "tls-alpn-01"] as const) {
    test(`a certificate comes by ${type}, and passes the checks`, async () => {
      const [ca, names] = [authority(), [`pets.${type}.test`] as const];
      const account = await newAccount(ca);
      const { pem, key } = await issue(ca, account, names, proveBy(type, ca, account, servers));
      const chain = inspectChain(pem);
      const expected = { names, publicKey: keyFingerprint(key), now: Date.now() };
      expect(chain && faultOfChain(chain, expected)).toBeUndefined();
      expect(chain?.certificates[0].names).toEqual([...names]);
    });
  }
});
