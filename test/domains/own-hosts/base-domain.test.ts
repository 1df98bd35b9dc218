import { describe, expect, test } from "bun:test";

import { createBaseDomainCheck, readOwnDomain } from "../../../domains/own-hosts/base-domain.ts";
import type { CertificateAuthority } from "../../../domains/ports/authority.ts";
import { systemClock } from "../../../lib/base/clock.ts";
import { recursiveAnswer } from "../../helpers/dns/answer.ts";
import { world } from "../../helpers/dns/world.ts";
import { fakeServer, type ServerFault } from "../../helpers/dns/server.ts";
import { zone } from "../../helpers/dns/zone.ts";
import { fakeAuthority } from "../../helpers/domains/fake-authority.ts";
import { saying, startOutside, us, type Outside } from "../../helpers/outside.ts";

const NAME = "pets.shelter.org";
const NAMES = {
  address: NAME,
  staging: `staging.${NAME}`,
  wildcard: `any.${NAME}`,
  targets: `any.cname.${NAME}`,
};

/** A check with a resolver that knows `lines` of shelter.org and the ports of `outside`. */
async function lookingAt(
  lines: readonly string[],
  {
    outside,
    fault,
    authorities,
  }: {
    readonly outside: Pick<Outside, "ports">;
    readonly fault?: ServerFault;
    readonly authorities?: () => Promise<readonly CertificateAuthority[]>;
  },
) {
  const zones = [zone({ apex: "shelter.org", servers: ["ns.shelter.org"], lines })];
  const server = await fakeServer({
    say: ({ name, type }) => recursiveAnswer(zones, name, type),
    ...(fault === undefined ? {} : { fault: () => fault }),
  });
  const ordinary = await fakeAuthority(systemClock);
  const look = createBaseDomainCheck({
    resolvers: [server],
    // The key by which the listeners of `startOutside` recognize themselves.
    encryptionKey: new Uint8Array(32).fill(7),
    authorities: authorities ?? (async () => [ordinary]),
    caaIdentities: ["ca.example"],
    clock: systemClock,
    allowPrivateNetworks: true,
    publicPorts: outside.ports,
  });
  return { look, [Symbol.asyncDispose]: () => server.close() };
}

const HERE = ["pets A 127.0.0.1", "*.pets A 127.0.0.1", "*.cname.pets A 127.0.0.1"];

describe("the check of a base domain", () => {
  test("finds this service on both ports, and all its names", async () => {
    await using outside = await startOutside();
    await using world = await lookingAt(HERE, { outside });
    const found = { kind: "found", addresses: ["127.0.0.1"] } as const;
    expect(await world.look(NAMES, true)).toEqual({
      names: { address: found, staging: found, wildcard: found, targets: found },
      http: { kind: "us", circles: false },
      https: { kind: "us", circles: false },
      caa: { permission: { kind: "allowed", methods: ["http-01", "tls-alpn-01"] }, records: [] },
    });
  });

  test("distinguishes a missing record from a failed lookup", async () => {
    await using outside = await startOutside();
    await using world = await lookingAt(["pets A 127.0.0.1"], { outside });
    const { names } = await world.look(NAMES, false);
    expect([names.address.kind, names.wildcard.kind]).toEqual(["found", "none"]);
    await using silent = await lookingAt(HERE, { outside, fault: "servfail" });
    const unknown = await silent.look(NAMES, false);
    expect(unknown.names.address.kind).toBe("unknown");
    expect([unknown.http.kind, outside.visits.length]).toEqual(["unlooked", 1]);
  });

  test("omits HTTPS if this service does not terminate TLS", async () => {
    await using outside = await startOutside();
    await using world = await lookingAt(HERE, { outside });
    expect((await world.look(NAMES, false)).https).toBeUndefined();
    expect(outside.visits.map(({ secure }) => secure)).toEqual([false]);
  });

  test("treats a port that refuses the handshake as open, but not a closed one", async () => {
    await using outside = await startOutside();
    const other = { ...NAMES, address: `staging.${NAME}` };
    await using world = await lookingAt(HERE, { outside });
    expect((await world.look(other, true)).https).toEqual({ kind: "open" });
    const closed = { ports: { ...outside.ports, secure: 1 } };
    await using shut = await lookingAt(HERE, { outside: closed });
    expect((await shut.look(NAMES, true)).https).toEqual({ kind: "refused" });
  });

  test("is not fooled by another service on the port", async () => {
    await using outside = await startOutside((visit) =>
      visit.secure ? us(visit) : new Response("parked"),
    );
    await using world = await lookingAt(HERE, { outside });
    expect((await world.look(NAMES, true)).http).toEqual({ kind: "other", status: 200 });
    await using talker = await saying("220 mail\r\n");
    const ports = { plain: talker.port, secure: outside.ports.secure };
    await using mail = await lookingAt(HERE, { outside: { ports } });
    expect((await mail.look(NAMES, true)).http.kind).toBe("refused");
  });

  test("reads CAA records from the name upwards", async () => {
    await using outside = await startOutside();
    await using world = await lookingAt([...HERE, "@ CAA 0 issue other.example"], { outside });
    expect((await world.look(NAMES, false)).caa).toEqual({
      permission: { kind: "forbidden", reason: "other_issuer" },
      records: [`shelter.org CAA 0 issue "other.example"`],
    });
  });

  test("reads CAA records from the name servers, whatever the resolver has cached", async () => {
    await using outside = await startOutside();
    const lines = [...HERE, "@ CAA 0 issue ca.example"];
    const dns = await world({
      zones: { org: {}, "shelter.org": { lines } },
      remembered: { "shelter.org": [...HERE, "@ CAA 0 issue other.example"] },
    });
    const ports = new Map([...dns.servers.values()].map(({ address, port }) => [address, port]));
    const ordinary = await fakeAuthority(systemClock);
    const look = createBaseDomainCheck({
      resolvers: [dns.resolverServer],
      encryptionKey: new Uint8Array(32).fill(7),
      authorities: async () => [ordinary],
      caaIdentities: ["ca.example"],
      clock: systemClock,
      allowPrivateNetworks: true,
      publicPorts: outside.ports,
      portOf: (address) => ports.get(address) ?? 53,
    });
    expect((await look(NAMES, false)).caa?.records).toEqual([
      `shelter.org CAA 0 issue "ca.example"`,
    ]);
    await dns.close();
  });

  test("omits CAA without an issuer, and reports a CA that cannot be opened", async () => {
    await using outside = await startOutside();
    await using idle = await lookingAt(HERE, { outside, authorities: async () => [] });
    expect((await idle.look(NAMES, false)).caa).toBeUndefined();
    const broken = async (): Promise<never> => {
      throw new Error("There is no such file.");
    };
    await using shut = await lookingAt(HERE, { outside, authorities: broken });
    expect((await shut.look(NAMES, false)).caa?.permission).toEqual({
      kind: "unknown",
      silent: "issuer",
    });
  });

  test("contacts private addresses only if allowed", async () => {
    await using outside = await startOutside();
    const server = await fakeServer({
      say: ({ name, type }) =>
        recursiveAnswer(
          [zone({ apex: "shelter.org", servers: ["ns.shelter.org"], lines: HERE })],
          name,
          type,
        ),
    });
    const look = createBaseDomainCheck({
      resolvers: [server],
      encryptionKey: new Uint8Array(32).fill(7),
      authorities: async () => [],
      caaIdentities: ["ca.example"],
      clock: systemClock,
      publicPorts: outside.ports,
    });
    const { http, https } = await look(NAMES, true);
    expect([http, https]).toEqual([{ kind: "unlooked" }, { kind: "unlooked" }]);
    expect(outside.visits).toEqual([]);
    await server.close();
  });
});

describe("a service's domain", () => {
  test.each([
    ["Pets.Shelter.ORG.", "pets.shelter.org"],
    ["bücher.de", "xn--bcher-kva.de"],
  ])("%s is read as %s", async (entered, name) => {
    const read = await readOwnDomain(entered, { allowPrivate: false });
    expect(read).toEqual({ ok: true, value: { name } });
  });

  test("is refused with a message if it is not a name", async () => {
    for (const entered of ["", "https://pets.shelter.org/", "a b.org", "x".repeat(600)]) {
      const { ok } = await readOwnDomain(entered, { allowPrivate: false });
      expect([entered, ok]).toEqual([entered, false]);
    }
  });

  test("is distinguished if it cannot be registered", async () => {
    const barred = async (entered: string, allowPrivate = false) => {
      const read = await readOwnDomain(entered, { allowPrivate });
      return read.ok ? read.value.barred : "refused";
    };
    expect(await barred("pets.test")).toBe("special_use");
    expect(await barred("pets.test", true)).toBeUndefined();
    expect(await barred("co.uk")).toBe("public_suffix");
  });
});
