import { expect, test } from "bun:test";
import { join } from "node:path";

import { torture } from "../helpers/chance.ts";
import { freePort } from "../helpers/free-ports.ts";
import { recipesWithPackage, RECIPES } from "../helpers/nested.ts";
import { selfSigned } from "../helpers/openssl.ts";
import { startRedis } from "../helpers/redis.ts";
import { folders } from "../helpers/folders.ts";
import { describeLong } from "../helpers/long.ts";

const { folder } = folders();

// They install the packages of others.
const lacking = torture ? await recipesWithPackage() : "needs TEST_TORTURE=1";

describeLong.skipIf(lacking !== undefined)(
  `the package on Node${lacking === undefined ? "" : ` (${lacking})`}`,
  () => {
    for (const name of ["ioredis", "ioredis5", "redis", "redis5"]) {
      test(`${name} counts as the contract of limiters says, with TLS and a password too`, async () => {
        const { certificate, key } = await selfSigned();
        const directory = await folder();
        const path = (file: string): string => join(directory, file);
        await Bun.write(path("certificate"), certificate);
        await Bun.write(path("key"), key);
        const tlsPort = await freePort();
        const tls = ["--tls-port", String(tlsPort), "--tls-auth-clients", "no"];
        const pair = ["--tls-cert-file", path("certificate"), "--tls-key-file", path("key")];
        await using server = await startRedis(["--requirepass", "secret", ...tls, ...pair]);
        const expected = {
          cases: expect.any(Number),
          broken: [],
          allowed: 50,
          failures: {
            password: expect.stringMatching(/^StoreUnavailable: .*WRONGPASS/),
            port: expect.stringMatching(/^StoreUnavailable: .*ECONNREFUSED/),
            client: expect.stringMatching(/^TypeError: .* ioredis or redis \(5 or newer\)\.$/),
          },
        };
        const plain = `redis://default:secret@127.0.0.1:${server.port}/2`;
        const told = await run(name, plain);
        expect(told).toEqual(expected);
        expect(told.cases).toBeGreaterThan(10);
        const secure = `rediss://default:secret@localhost:${tlsPort}`;
        expect(await run(name, secure, path("certificate"))).toEqual({
          ...expected,
          failures: {
            ...expected.failures,
            // The certificate is for localhost, and its authority is no other.
            name: expect.stringMatching(/^StoreUnavailable: .*(?:altname|ERR_TLS)/i),
            authority: expect.stringMatching(/^StoreUnavailable: .*self.signed/i),
          },
        });
      });
    }
  },
);

interface Told {
  readonly cases: number;
  readonly broken: readonly string[];
  /** Of 60 requests with a limit of 50 a minute. */
  readonly allowed: number;
  /** What a limiter with a mistake says, by the mistake. */
  readonly failures: Readonly<Record<string, string>>;
}

/** Runs the contract. The process must end without help. */
async function run(...args: readonly string[]): Promise<Told> {
  const child = Bun.spawn(["node", join(RECIPES, "redis.js"), ...args], {
    cwd: RECIPES,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  expect([await child.exited, err]).toEqual([0, ""]);
  return JSON.parse(out);
}
