import { describeAuthority } from "../../contract/authority.ts";
import { internalAuthority } from "../../../domains/acme/internal-ca.ts";
import { createInternalRoot } from "../../../domains/acme/internal-root.ts";
import { systemClock } from "../../../lib/base/clock.ts";
import { systemRandom } from "../../../lib/base/id.ts";
import { startChallengeServers } from "../../helpers/challenge-servers.ts";
import { proveBy } from "../../helpers/issuance.ts";
import { pebbleAuthority } from "../../helpers/pebble-authority.ts";
import { pebbleMissing, startPebble } from "../../helpers/pebble.ts";

describeAuthority(
  "Pebble",
  async () => {
    const servers = await startChallengeServers();
    const pebble = await startPebble(servers);
    return {
      open: () => pebbleAuthority(pebble),
      prove: (authority, account) => proveBy("http-01", authority, account, servers),
      [Symbol.asyncDispose]: async () => {
        await pebble[Symbol.asyncDispose]();
        await servers[Symbol.asyncDispose]();
      },
    };
  },
  pebbleMissing,
);

describeAuthority("the internal CA", async () => {
  const root = await createInternalRoot(Date.now(), systemRandom);
  return {
    open: () => internalAuthority({ root, clock: systemClock, random: systemRandom }),
    prove: () => () => Promise.reject(new Error("it asks for no proof")),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
});
