import { expect, test } from "bun:test";

import { createHttpsClient } from "../../domains/acme/https-client.ts";
import { createVantages } from "../../domains/dns/vantages.ts";
import { recordsOf } from "../../domains/model/answer.ts";
import { systemClock as clock } from "../../lib/base/clock.ts";
import { systemRandom as random } from "../../lib/base/id.ts";
import { startSandbox } from "../../testing/domains/index.ts";

const signal = new AbortController().signal;

test("the sandbox answers for its zones as they are now, and its CA is trusted by its root", async () => {
  const zones = { "shop.test": "@ A 127.0.0.1 \n# a comment\n\n*.cname A 127.0.0.1", "a.test": "" };
  const sandbox = await startSandbox({ zones, httpPort: 8080 });
  try {
    const { resolvers } = createVantages({ servers: [sandbox.resolver], clock, random });
    const ask = async (name: string): Promise<readonly string[]> => {
      const within = { deadlineAt: clock.now() + 60_000, signal };
      return recordsOf(await resolvers[0].lookup(name, "A", within));
    };
    expect(await ask("x.cname.shop.test")).toEqual(["127.0.0.1"]);
    expect(await ask("pets.a.test")).toEqual([]);
    sandbox.setZone("a.test", "pets CNAME x.cname.shop.test");
    expect(await ask("pets.a.test")).toEqual(["127.0.0.1"]);
    const https = createHttpsClient({ clock, userAgent: "test", extraRoots: sandbox.root });
    const reply = await https({ method: "GET", url: sandbox.directoryUrl }, signal);
    expect(reply).toMatchObject({ ok: true, value: { status: 200 } });
    expect(() => sandbox.setZone("b.test", "")).toThrow(
      new TypeError("The sandbox has no zone b.test, only shop.test, a.test."),
    );
    expect(() => sandbox.setZone("a.test", "\npets A 192.0.2.300")).toThrow(
      new TypeError('Line 2 of the zone a.test, "pets A 192.0.2.300": the value is no IP address.'),
    );
    // A mistake leaves the zone as it was.
    expect(await ask("pets.a.test")).toEqual(["127.0.0.1"]);
  } finally {
    await sandbox.close();
  }
});

test.each([
  ["no type", "pets", "a record is a name, a type and a value, such as pets A 192.0.2.1"],
  ["another type", "pets SRV 1", "a record is a name, a type and a value"],
  ["an alias at the top", "@ CNAME a.test", "a name with a CNAME record has no other records"],
  ["a wrong target", "pets CNAME not a name", "the value is no host name"],
  ["a wrong authority", '@ CAA 0 issue ca"', 'the value must look like 0 issue "ca.example"'],
  ["too many records", "x A 192.0.2.1\n".repeat(51), "Line 51 of the zone a.test"],
])("a zone with %s is refused with its line", async (_, records, why) => {
  const starting = startSandbox({ zones: { "a.test": records }, httpPort: 8080 });
  await expect(starting).rejects.toThrow(why);
});

test.each([
  { zones: ["a.test"], httpPort: 1 },
  { zones: {}, httpPort: 0 },
  { zones: {}, port: 1 },
])("the sandbox refuses the options %j", async (options) => {
  await expect(startSandbox(options as never)).rejects.toThrow(/^startSandbox: the option/);
});
