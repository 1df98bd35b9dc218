import { expect, test } from "bun:test";

import { answerChallenge } from "../../../domains/http/plain-http.ts";
import type { ChallengeServers } from "../../helpers/challenge-servers.ts";
import { issue, newAccount, proveBy } from "../../helpers/issuance.ts";
import { startPebble, pebbleMissing } from "../../helpers/pebble.ts";
import { pebbleAuthority } from "../../helpers/pebble-authority.ts";
import { presentedTo } from "../../helpers/tls-client.ts";
import { startFront } from "../../helpers/tls-front.ts";

const title = pebbleMissing === undefined ? "" : ` (${pebbleMissing})`;

test.skipIf(pebbleMissing !== undefined).each(["tls-alpn-01", "http-01"] as const)(
  `a CA validates a name by %s at our listener, and the certificate is served there${title}`,
  async (type) => {
    const files = new Map<string, string>();
    const certificates = new Map<string, { readonly cert: string; readonly key: string }>();
    await using served = await startFront({
      challenges: {
        tlsAlpn01: (name) => {
          const found = certificates.get(name);
          if (found === undefined) return undefined;
          return { id: name, chainPem: found.cert, privateKeyPem: found.key, notAfter: 0 };
        },
      },
    });
    const http01 = (host: string, token: string): string | undefined =>
      host === "pets.test" ? files.get(token) : undefined;
    await using http = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: async ({ method, url }) => {
        const { hostname: host, pathname: target } = new URL(url);
        return (
          (await answerChallenge({ http01 }, { method, host, target })) ?? new Response("site")
        );
      },
    });
    const servers: ChallengeServers = {
      httpPort: http.port ?? 0,
      tlsPort: served.port,
      files,
      certificates,
      looks: { http: 0, tls: 0 },
      [Symbol.asyncDispose]: async () => undefined,
    };
    await using pebble = await startPebble(servers);
    const authority = pebbleAuthority(pebble);
    const account = await newAccount(authority);
    const { pem, key } = await issue(
      authority,
      account,
      ["pets.test"],
      proveBy(type, authority, account, servers),
    );
    const serverName = "pets.test";
    served.live.set(serverName, { id: "1", chainPem: pem, privateKeyPem: key, notAfter: 0 });
    expect(
      await presentedTo(served.port, { serverName, trusting: await pebble.root() }),
    ).toBeString();
  },
);
