import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import type { Check, Subject } from "../../server/checks/check.ts";
import { dataDirectory } from "../../server/data/data-directory.ts";
import { ownHostsMayBeCertified, resolversAnswer } from "../../server/checks/dns.ts";
import { certificatesAreFresh } from "../../server/checks/https.ts";
import { caAnswers } from "../../server/checks/issuers.ts";
import { openReader } from "../../server/data/database.ts";
import { loadSettings } from "../../settings/load.ts";
import { systemClock } from "../../lib/base/clock.ts";
import { environmentOf } from "../helpers/process.ts";
import { openPlatform, platformMissing, type Platform } from "./domains/platform.ts";

interface Shown {
  readonly status: string;
  readonly dns: { readonly state: string; readonly findings: readonly Found[] };
  readonly records: readonly { readonly purpose: string; readonly value: string }[];
  readonly certificate: { readonly state: string };
}

interface Found {
  readonly code: string;
  readonly severity: string;
  readonly fix: string;
}

const PETS = "pets.shelter.org";
/** The limit from the first check to a certificate of Pebble, on a busy machine. */
const PATIENCE_MS = 150_000;
/** Certificates are renewed after half of this time: short enough to observe, long enough for a busy machine. */
const VALIDITY_SECONDS = 40;

// Each step continues where the previous one ended.
describe.skipIf(platformMissing !== undefined)(
  `the life of a domain (${platformMissing ?? "everything is installed"})`,
  () => {
    let platform: Platform;
    let target = "";
    beforeAll(async () => {
      platform = await openPlatform({ validitySeconds: VALIDITY_SECONDS });
    });
    afterAll(async () => platform?.[Symbol.asyncDispose]());

    const site = (path = "/"): string => `https://${PETS}:${platform.httpsPort}${path}`;

    test("the platform's hosts get certificates automatically", async () => {
      for (const host of ["petstore.example", `${platform.slug}.petstore.example`]) {
        await eventually(async () => {
          const url = `https://${host}:${platform.httpsPort}/livez`;
          expect((await platform.visit(url)).exitCode).toBe(0);
        });
      }
    });

    test("the doctor approves the resolvers, the CA and the certificates", async () => {
      const { dataDir } = platform.program;
      const environment = await environmentOf(dataDir);
      const { settings } = await loadSettings({ flags: platform.options, environment });
      const directory = dataDirectory(dataDir);
      const runtime = { clock: systemClock, version: "0" };
      const database = () => openReader({ settings, directory });
      const subject = { settings, directory, runtime, database } as unknown as Subject;
      const said = async (check: Check): Promise<string> => (await check(subject)).message;
      expect(await said(resolversAnswer)).toBe(`${platform.internet.resolver} answers`);
      const { directoryUrl } = platform.pebble;
      const account = `account ${new URL(directoryUrl).origin}/my-account/`;
      expect(await said(caAnswers)).toStartWith(`${directoryUrl} answers, ${account}`);
      expect(await said(ownHostsMayBeCertified)).toContain("can have certificates");
      expect(await said(certificatesAreFresh)).toMatch(
        /^[23] certificates; the first expires on \d/,
      );
    });

    test("a domain whose record points elsewhere reports it", async () => {
      const added = await platform.json<Shown>("domains", "add", PETS, "--project", platform.slug);
      expect(added.exitCode).toBe(0);
      target = added.document.records.find(({ purpose }) => purpose === "routing")?.value ?? "";
      expect(target).toMatch(/^[\da-f]{32}\.cname\.petstore\.example$/);
      const { exitCode, document } = await platform.json<Shown>("domains", "verify", PETS);
      expect(exitCode).toBe(6);
      const blocking = document.dns.findings.filter(({ severity }) => severity === "blocking");
      expect(blocking.map(({ code }) => code)).toContain("conflicting_a");
      expect(blocking.every(({ fix }) => fix.length > 0)).toBe(true);
      expect((await platform.visit(site())).exitCode).not.toBe(0);
    });

    test("a domain with the right record goes live with a certificate of the CA", async () => {
      await platform.internet.change("shelter.org", "unset pets A", `set pets 5 CNAME ${target}.`);
      const { exitCode, document } = await platform.json<Shown>(
        "domains",
        "verify",
        PETS,
        "--wait",
      );
      expect([exitCode, document.status]).toEqual([0, "live"]);
      const visited = await platform.visit(site());
      expect([visited.exitCode, visited.status]).toEqual([0, 200]);
      expect(visited.body).toContain("<html");
    });

    test("plain HTTP redirects to HTTPS and does not accept a key", async () => {
      const plain = `http://${PETS}:${platform.httpPort}`;
      const page = await platform.visit(`${plain}/a?b=c`);
      expect([page.status, page.location]).toEqual([308, site("/a?b=c")]);
      const api = await platform.visit(
        `${plain}/v1/pets`,
        "-H",
        "authorization: Bearer pet_live_x",
      );
      expect(api.status).toBe(403);
      expect(JSON.parse(api.body)).toMatchObject({ code: "https_required" });
      expect((await platform.visit(site("/v1/pets"))).status).toBe(401);
    });

    test("a second domain redirects to the first with path and query", async () => {
      const name = "www.shelter.org";
      const added = await platform.json<Shown>("domains", "add", name, "--project", platform.slug);
      const own = added.document.records.find(({ purpose }) => purpose === "routing")?.value;
      expect(own).not.toBe(target);
      await platform.internet.change("shelter.org", `set www 5 CNAME ${own}.`);
      expect((await platform.json("domains", "verify", name, "--wait")).exitCode).toBe(0);
      const redirected = await platform.visit(`https://${name}:${platform.httpsPort}/a?b=c`);
      expect([redirected.status, redirected.location]).toEqual([308, site("/a?b=c")]);
    });

    test("its certificate is renewed before it expires", async () => {
      const before = await serial(platform);
      await eventually(async () => expect(await serial(platform)).not.toBe(before));
      expect((await platform.visit(site())).status).toBe(200);
    });

    test("after its removal handshakes fail, also for returning visitors", async () => {
      const session = platform.path("session.pem");
      expect((await platform.shake(PETS, "-tls1_2", "-sess_out", session)).exitCode).toBe(0);
      expect((await platform.run("domains", "remove", PETS, "--yes")).exitCode).toBe(0);
      expect((await platform.visit(site())).exitCode).not.toBe(0);
      const resumed = await platform.shake(PETS, "-tls1_2", "-sess_in", session);
      expect(resumed.exitCode).not.toBe(0);
      expect(resumed.stderr).toContain("unrecognized name");
      // The other domain redirected here. It shows the site instead of redirecting to a removed domain.
      expect((await platform.visit(`https://www.shelter.org:${platform.httpsPort}/`)).status).toBe(
        200,
      );
    });

    test("no written file contains a private key", () => {
      expect(platform.program.output()).not.toContain("PRIVATE KEY");
    });
  },
);

/** The serial number of the served certificate. */
async function serial(platform: Platform): Promise<string> {
  const { stdout } = await platform.shake(PETS);
  const [pem] = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/.exec(stdout) ?? [];
  if (pem === undefined) throw new Error(`no certificate: ${stdout}`);
  return pem;
}

/** Retries until it succeeds, at most a minute. */
async function eventually(holds: () => Promise<void>): Promise<void> {
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      await holds();
      return;
    } catch (error) {
      if (Date.now() > until) throw error;
      await Bun.sleep(250);
    }
  }
}
