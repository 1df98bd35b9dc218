import { afterAll, beforeAll, describe } from "bun:test";

import { internalAuthority, createInternalRoot } from "../../../domains/acme/internal-ca.ts";
import { authorityContract } from "../../../testing/domains/index.ts";
import { systemClock } from "../../../lib/base/clock.ts";
import { systemRandom } from "../../../lib/base/id.ts";
import { describeContract } from "../../contract/run.ts";
import { startChallengeServers, type ChallengeServers } from "../../helpers/challenge-servers.ts";
import { proveBy } from "../../helpers/issuance.ts";
import { pebbleAuthority } from "../../helpers/pebble-authority.ts";
import { pebbleMissing, startPebble, type Pebble } from "../../helpers/pebble.ts";

describe.skipIf(pebbleMissing !== undefined)("over the network", () => {
  let servers: ChallengeServers;
  let pebble: Pebble;
  beforeAll(async () => {
    servers = await startChallengeServers();
    pebble = await startPebble(servers);
  });
  afterAll(async () => {
    await pebble?.[Symbol.asyncDispose]();
    await servers?.[Symbol.asyncDispose]();
  });

  const cases = authorityContract(() => ({
    open: () => pebbleAuthority(pebble),
    prove: (authority, account) => proveBy("http-01", authority, account, servers),
  }));
  describeContract("Pebble as a certificate authority", cases);
});

const root = await createInternalRoot(Date.now(), systemRandom);
const cases = authorityContract(() => ({
  open: () => internalAuthority({ root, clock: systemClock, random: systemRandom }),
  prove: () => () => Promise.reject(new Error("it asks for no proof")),
}));
describeContract("the internal CA as a certificate authority", cases);
