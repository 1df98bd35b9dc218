import { expect, test } from "bun:test";

import { challengeCertificate } from "../../../domains/acme/challenge-certificate.ts";
import { createPrivateKeyPem } from "../../../domains/acme/keys.ts";
import type { Presented } from "../../../domains/ports/certificates.ts";
import { DAY_MS } from "../../../lib/base/clock.ts";
import { systemRandom } from "../../../lib/base/id.ts";
import { opensslHandshake } from "../../helpers/openssl.ts";
import { presentedFor } from "../../helpers/presented.ts";
import { converse, shakeHands } from "../../helpers/tls-client.ts";
import { startFront } from "../../helpers/tls-front.ts";

async function challengeFor(name: string): Promise<Presented> {
  const privateKeyPem = await createPrivateKeyPem();
  const now = Date.now();
  const chainPem = await challengeCertificate(name, "token.thumbprint", {
    privateKeyPem,
    now,
    random: systemRandom,
  });
  return { id: "challenge", chainPem, privateKeyPem, notAfter: now + DAY_MS };
}

const acme = (port: number, serverName: string, version: string) =>
  opensslHandshake(port, ["-servername", serverName, "-alpn", "acme-tls/1", version]);

test.each(["-tls1_2", "-tls1_3"])(
  "the CA is presented the challenge of a name without a certificate (%s)",
  async (version) => {
    await using served = await startFront();
    served.challenged.set("new.test", await challengeFor("new.test"));
    const { protocol, output } = await acme(served.port, "new.test", version);
    expect(protocol).toBe("acme-tls/1");
    expect(output).toContain("ACME challenge");
  },
);

test.each(["-tls1_2", "-tls1_3"])(
  "during a validation, visitors still get the name's certificate (%s)",
  async (version) => {
    await using served = await startFront();
    served.live.set("one.test", await presentedFor("one", "one.test"));
    served.challenged.set("one.test", await challengeFor("one.test"));
    expect((await acme(served.port, "one.test", version)).output).toContain("ACME challenge");
    for (const alpn of ["h2", "http/1.1", "acme-tls/1,http/1.1"]) {
      const args = ["-servername", "one.test", "-alpn", alpn, version];
      expect((await opensslHandshake(served.port, args)).subject).toBe("one");
    }
  },
);

test("without a challenge, acme-tls/1 is not answered with the certificate", async () => {
  await using served = await startFront();
  served.live.set("one.test", await presentedFor("one", "one.test"));
  const { subject, alert } = await acme(served.port, "one.test", "-tls1_3");
  expect({ subject, alert }).toEqual({ subject: undefined, alert: 112 });
});

test("a challenge is presented for its own name only", async () => {
  await using served = await startFront();
  served.challenged.set("one.test", await challengeFor("one.test"));
  expect((await acme(served.port, "two.test", "-tls1_3")).alert).toBe(112);
});

test("after the challenge's handshake the connection is closed, and requests are ignored", async () => {
  let answered = 0;
  await using served = await startFront({
    fetch: () => {
      answered++;
      return new Response();
    },
  });
  served.challenged.set("one.test", await challengeFor("one.test"));
  const socket = await shakeHands(served.port, {
    serverName: "one.test",
    protocols: ["acme-tls/1"],
  });
  expect(await converse(socket, "GET / HTTP/1.1\r\nhost: one.test\r\n\r\n")).toBe("");
  expect(answered).toBe(0);
});

test("a challenge's certificate is not cached", async () => {
  await using served = await startFront();
  const [first, second] = await Promise.all([challengeFor("one.test"), challengeFor("one.test")]);
  const seen = [];
  for (const challenge of [first, second]) {
    served.challenged.set("one.test", challenge);
    const socket = await shakeHands(served.port, {
      serverName: "one.test",
      protocols: ["acme-tls/1"],
    });
    seen.push(socket.getPeerCertificate().serialNumber);
    socket.destroy();
  }
  expect(seen[0]).not.toBe(seen[1]);
});
