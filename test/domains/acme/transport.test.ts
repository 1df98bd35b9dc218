import { expect, test } from "bun:test";

import { acmeAuthority } from "../../../domains/acme/acme-authority.ts";
import type { HttpsClient } from "../../../domains/acme/https-client.ts";
import { createSigner } from "../../../domains/acme/jose.ts";
import { createPrivateKeyPem } from "../../../domains/acme/keys.ts";
import { createTransport } from "../../../domains/acme/transport.ts";
import { HOUR_MS, httpTime } from "../../../lib/base/clock.ts";
import { done } from "../../../lib/base/result.ts";
import { manualClock } from "../../helpers/clock.ts";
import { granted, noAbort } from "../../helpers/issuance.ts";

/** A CA that accepts each of its nonces once, and forgets all on a restart. */
function forgetfulCa() {
  let known = new Set<string>();
  let given = 0;
  const seen = { heads: 0, refused: 0, served: 0 };
  const https: HttpsClient = async ({ method, body }) => {
    const nonce = `nonce-${given++}`;
    const headers = { "replay-nonce": nonce };
    const reply = (status: number, text = ""): ReturnType<HttpsClient> => {
      known.add(nonce);
      return Promise.resolve(done({ status, headers, body: Buffer.from(text) }));
    };
    if (method === "HEAD") {
      seen.heads++;
      return reply(200);
    }
    const jws: { readonly protected: string } = JSON.parse(body ?? "");
    const used = JSON.parse(Buffer.from(jws.protected, "base64url").toString()).nonce;
    if (known.delete(used)) {
      seen.served++;
      return reply(200);
    }
    seen.refused++;
    return reply(400, JSON.stringify({ type: "urn:ietf:params:acme:error:badNonce" }));
  };
  return { https, seen, restart: () => (known = new Set()) };
}

test("once a nonce is refused, the other kept ones are dropped", async () => {
  const ca = forgetfulCa();
  const transport = createTransport(ca.https, manualClock(0));
  const signer = await createSigner(await createPrivateKeyPem());
  const read = async () => {
    const request = {
      signer,
      url: "https://ca.test/order/1",
      newNonceUrl: "https://ca.test/nonce",
    };
    granted(await transport.post(request, noAbort));
  };
  const together = (count: number) => Promise.all(Array.from({ length: count }, read));
  await together(20);
  expect(ca.seen).toEqual({ heads: 20, refused: 0, served: 20 });
  ca.restart();
  await read();
  expect(ca.seen.refused).toBe(1);
  await together(5);
  expect(ca.seen.refused).toBe(1);
  expect(ca.seen.served).toBe(26);
});

test("the directory contains the clock difference, including a cache's age, and is reread when our clock was set back", async () => {
  const theirs = Date.UTC(2026, 10, 21, 12);
  const clock = manualClock(theirs + 13 * HOUR_MS);
  let requests = 0;
  const urls = ["newNonce", "newAccount", "newOrder", "revokeCert"];
  const body = Buffer.from(
    JSON.stringify(Object.fromEntries(urls.map((name) => [name, `https://ca.test/${name}`]))),
  );
  const https: HttpsClient = async () => {
    requests++;
    const headers = { date: httpTime(theirs - 60_000), age: "60" };
    return done({ status: 200, headers, body });
  };
  const authority = acmeAuthority({ directoryUrl: "https://ca.test/dir", https, clock });
  const ahead = async () => granted(await authority.directory(noAbort)).aheadMs;
  expect(await ahead()).toBe(-13 * HOUR_MS);
  clock.advance(HOUR_MS - 1);
  expect([await ahead(), requests]).toEqual([-13 * HOUR_MS, 1]);
  clock.set(theirs);
  expect([await ahead(), requests]).toEqual([0, 2]);
});
