import { afterEach, describe, expect, test } from "bun:test";

import type { CustomDomains, DomainRoute } from "../../domains/index.ts";
import { blobResponse, mayBeKept } from "../../lib/base/blob-response.ts";
import { systemClock } from "../../lib/base/clock.ts";
import type { Front } from "../../server/listeners/front.ts";
import { openHttps, type Https } from "../../server/listeners/https.ts";
import { loadSettings } from "../../settings/load.ts";
import { ampleHoldings } from "../helpers/holdings.ts";
import { presentedFor } from "../helpers/presented.ts";
import { shakeHands } from "../helpers/tls-client.ts";

const HOST = "pets.shelter.org";
const SITE: Extract<DomainRoute, { readonly kind: "site" }> = {
  kind: "site",
  projectId: "prj_first",
  slug: "first",
  hstsSeconds: 0,
};

let opened: Https | undefined;
afterEach(() => opened?.end());

/** HTTPS of one custom domain, whose pages name the project of its route and the number of the response. */
async function domain() {
  const { settings } = await loadSettings({
    flags: { "listen-https": "127.0.0.1:0", "base-domain": "pets.example" },
    environment: {},
  });
  const https = await openHttps(settings, {
    clock: systemClock,
    log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
    holdings: ampleHoldings,
  });
  if (https === undefined) throw new Error("HTTPS is off.");
  opened = https;
  const presented = await presentedFor("one", HOST);
  const state = { route: { ...SITE } as DomainRoute | undefined, handled: 0 };
  const domains = {
    certificateFor: () => ({ id: "one", load: () => presented }),
    hasCertificate: () => true,
    challenges: { tlsAlpn01: () => undefined, http01: () => undefined },
    routes: { byHost: () => state.route, onRemoved: () => () => {} },
  };
  const front = {
    draining: false,
    handle: () => {
      state.handled++;
      const id = state.route?.projectId ?? "none";
      // The site itself stays as it is: only the route changes.
      return mayBeKept(blobResponse(`${id} ${state.handled}`, {}), () => true);
    },
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  https.serve(front as unknown as Front, domains as unknown as CustomDomains);
  const ask = async (): Promise<string> => {
    const socket = await shakeHands(Number(new URL(https.origin).port), { serverName: HOST });
    const { promise, resolve } = Promise.withResolvers<string>();
    socket.on("data", (chunk: Buffer) => resolve(chunk.toString().split("\r\n\r\n")[1] ?? ""));
    socket.write(`GET / HTTP/1.1\r\nhost: ${HOST}\r\n\r\n`);
    const body = await promise;
    socket.destroy();
    return body;
  };
  /** On one connection a page is kept when it is asked for twice. */
  const keep = async (): Promise<void> => {
    const socket = await shakeHands(Number(new URL(https.origin).port), { serverName: HOST });
    for (let round = 0; round < 2; round++) {
      const { promise, resolve } = Promise.withResolvers<void>();
      socket.once("data", () => resolve());
      socket.write(`GET / HTTP/1.1\r\nhost: ${HOST}\r\n\r\n`);
      await promise;
    }
    socket.destroy();
  };
  return { state, ask, keep };
}

describe("a kept page of a custom domain", () => {
  test("is sent while the route of the domain stays the same", async () => {
    const { ask, keep } = await domain();
    await keep();
    expect(await ask()).toBe("prj_first 2");
  });

  test.each([
    ["moved to another account's project", { ...SITE, projectId: "prj_other", slug: "other" }],
    ["began to send Strict-Transport-Security", { ...SITE, hstsSeconds: 300 }],
    [
      "became a redirect",
      { ...SITE, kind: "redirect", to: "https://www.shelter.org", status: 301 },
    ],
    ["was removed", undefined],
  ] as const)("is not sent after the domain %s", async (_what, route) => {
    const { state, ask, keep } = await domain();
    await keep();
    state.route = route;
    expect(await ask()).toBe(`${route?.projectId ?? "none"} 3`);
  });
});
