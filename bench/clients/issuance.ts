/**
 * Obtains certificates for `pets0.example.org` and so on from a CA, 16 at a time like the program, and keeps nothing:
 * `bun issuance.ts DIRECTORY CA_FILE HTTP_PORT COUNT`. Answers its http-01 challenges. Prints the seconds it took.
 */
import { acmeAuthority } from "../../domains/acme/acme-authority.ts";
import { createHttpsClient } from "../../domains/acme/https-client.ts";
import { granted, issue, newAccount, noAbort } from "../../testing/domains/issuance.ts";
import { systemClock as clock } from "../../lib/base/clock.ts";
import { nameOf } from "../attached.ts";

const AT_A_TIME = 16;

const [directoryUrl = "", caFile = "", httpPort, count] = process.argv.slice(2);
const extraRoots = await Bun.file(caFile).text();
const https = createHttpsClient({ clock, userAgent: "petstore-bench", extraRoots });
const authority = acmeAuthority({ directoryUrl, https, clock });
const proofs = new Map<string, string>();
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: Number(httpPort),
  fetch: ({ url }) => {
    const proof = proofs.get(url.slice(url.lastIndexOf("/") + 1));
    return proof === undefined ? new Response(null, { status: 404 }) : new Response(proof);
  },
});
const account = await newAccount(authority);
let next = 0;

async function issueRest(): Promise<void> {
  while (next < Number(count)) {
    await issue(authority, account, [nameOf(next++)], async (authorization) => {
      if (authorization.status !== "pending") return;
      const challenge = authorization.challenges.find(({ type }) => type === "http-01");
      if (challenge === undefined) throw new Error("the CA offers no http-01");
      proofs.set(challenge.token, challenge.keyAuthorization);
      granted(await authority.respond(account, challenge, noAbort));
    });
  }
}

const startedAt = performance.now();
await Promise.all(Array.from({ length: AT_A_TIME }, issueRest));
console.log((performance.now() - startedAt) / 1_000);
await server.stop(true);
