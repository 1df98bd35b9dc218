import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { X509Certificate } from "node:crypto";

import type {
  Account,
  Authorization,
  CertificateAuthority,
} from "../../domains/ports/authority.ts";
import { systemClock } from "../../lib/base/clock.ts";
import { done } from "../../lib/base/result.ts";
import {
  startAuthority,
  type SandboxAuthority,
} from "../../testing/domains/sandbox/certificate-authority.ts";
import { createRegistrarZone } from "../../testing/domains/sandbox/registrar-zone.ts";
import { startRegistrar, type Registrar } from "../../server/demo/registrar.ts";
import type { Server } from "../../server/start.ts";
import { challengeOf, granted, issue, newAccount, noAbort } from "../helpers/issuance.ts";
import { pebbleAuthority } from "../helpers/pebble-authority.ts";

const NAME = "www.shelter.localhost";

describe("the demo's CA", () => {
  /** What the name answers. */
  let page: string | undefined;
  let running: SandboxAuthority;
  let authority: CertificateAuthority;
  let account: Account;

  beforeAll(async () => {
    running = await startAuthority({ clock: systemClock, visit: async () => page });
    const { directoryUrl, root } = running;
    authority = pebbleAuthority({ directoryUrl, listenerCertificate: root });
    account = await newAccount(authority);
  });
  afterAll(() => running.close());

  const prove =
    (proof: (right: string) => string | undefined) =>
    async (authorization: Authorization): Promise<void> => {
      const challenge = challengeOf(authorization, "http-01");
      page = proof(challenge.keyAuthorization);
      granted(await authority.respond(account, challenge, noAbort));
    };

  test("issues for a name that answers with the proof, under its own root", async () => {
    const { pem } = await issue(
      authority,
      account,
      [NAME],
      prove((right) => right),
    );
    const leaf = new X509Certificate(pem);
    expect(leaf.checkHost(NAME)).toBe(NAME);
    expect(leaf.verify(new X509Certificate(running.root).publicKey)).toBe(true);
    const found = granted(await authority.findAccount(account.key, noAbort));
    expect(found.url).toBe(account.url);
  });

  test.each([undefined, "", "another proof"])(
    "issues nothing for a name that answers %j",
    async (wrong) => {
      const order = granted(await authority.newOrder(account, { names: [NAME] }, noAbort));
      const [url = ""] = order.authorizationUrls;
      await prove(() => wrong)(granted(await authority.authorization(account, url, noAbort)));
      expect(granted(await authority.order(account, order.url, noAbort)).status).toBe("invalid");
      const early = await authority.finalize(account, order, new Uint8Array(9), noAbort);
      expect(early).toMatchObject({ ok: false });
    },
  );

  test("shows an order to its account alone, and knows no account without a key", async () => {
    const order = granted(await authority.newOrder(account, { names: [NAME] }, noAbort));
    const other = await newAccount(authority);
    expect(await authority.order(other, order.url, noAbort)).toMatchObject({
      failure: { code: "order_gone" },
    });
    const forged = { ...account, key: other.key };
    expect((await authority.order(forged, order.url, noAbort)).ok).toBe(false);
  });
});

describe("the demo's registrar as a web server", () => {
  const zone = createRegistrarZone("shelter.localhost", []);
  const service = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () => {
      const headers = { "set-cookie": "__Host-petstore=x; Path=/; Secure; Max-Age=100" };
      return new Response(null, { status: 201, headers });
    },
  });
  let registrar: Registrar;
  let links: string[] = [];

  beforeAll(async () => {
    const management = { all: async () => done([]) } as unknown as Server["management"];
    registrar = await startRegistrar({
      zone,
      root: "root",
      petstore: { management, dashboard: service.url.href },
      visitor: { email: "ada@shelter.localhost", password: "secret" },
      originOf: (domain) => `https://${domain}`,
      onLink: (link) => links.push(link),
    });
  });
  afterAll(async () => {
    await registrar.close();
    await service.stop(true);
  });

  const send = (path: string, headers: Record<string, string>, body?: string): Promise<Response> =>
    fetch(new URL(path, registrar.address), {
      method: body === undefined ? "GET" : "POST",
      redirect: "manual",
      headers,
      ...(body === undefined ? {} : { body }),
    });
  const record = "label=www&type=A&value=192.0.2.1";

  test("takes forms from its own pages alone", async () => {
    for (const headers of [
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { origin: "http://evil.example" },
      {},
    ] as Record<string, string>[]) {
      expect((await send("/records", headers, record)).status).toBe(403);
    }
    expect(zone.records).toEqual([]);
    const own = { "sec-fetch-site": "same-origin" };
    expect((await send("/records", own, record)).status).toBe(303);
    expect(zone.records).toMatchObject([{ label: "www", type: "A", value: "192.0.2.1" }]);
  });

  test("shows nothing at a name of a stranger that leads here", async () => {
    expect((await send("/", { host: "evil.example" })).status).toBe(404);
  });

  test("writes what was typed as text", async () => {
    const typed = new URLSearchParams({ label: "<b>", type: "TXT", value: '"><script>' });
    const page = await (await send(`/?${typed}`, {})).text();
    expect(page).toContain("&lt;b&gt;");
    expect(page).not.toContain('"><script>');
    expect(page).not.toContain("secret");
  });

  test("explains why it does not take a record, in the reader's language", async () => {
    const headers = { "sec-fetch-site": "same-origin", "accept-language": "de-DE,en;q=0.5" };
    const answer = await send("/records", headers, "label=www&type=A&value=nine");
    expect(answer.status).toBe(422);
    expect(await answer.text()).toContain("Geben Sie eine IP-Adresse ein");
  });

  test("a guessed link does nothing, and a used one is replaced in the terminal once", async () => {
    const link = registrar.newLink();
    expect((await send("/sign-in/guess", {})).status).toBe(404);
    const { pathname } = new URL(link);
    const signedIn = await send(pathname, {});
    expect(signedIn.headers.get("location")).toBe(service.url.href);
    // Without an end, it goes with the browser.
    expect(signedIn.headers.getSetCookie()[0]).toBe("__Host-petstore=x; Path=/; Secure");
    expect(links).toEqual([]);
    for (let time = 0; time < 3; time++) expect((await send(pathname, {})).status).toBe(410);
    expect(links).toHaveLength(1);
    expect(links[0]).not.toBe(link);
    links = [];
  });
});
