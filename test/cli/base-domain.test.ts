import { describe, expect, test } from "bun:test";

import { optionsFor, recordsFor, candidate } from "../../server/base-domain/candidate.ts";
import { judge } from "../../server/base-domain/judge.ts";
import { loadSettings } from "../../settings/load.ts";
import type { BaseDomainFacts, NameFacts } from "../../domains/index.ts";
import type { BaseDomainCheckId } from "../../lib/management/index.ts";

const HERE = "192.0.2.7";
const ELSEWHERE = "198.51.100.9";
const NAME = "pets.example.org";

async function settingsOf(flags: Readonly<Record<string, string>> = {}) {
  return (await loadSettings({ flags, environment: {} })).settings;
}

const at = (...addresses: readonly string[]): NameFacts => ({ kind: "found", addresses });

/** The facts of a base domain without findings, except for `changes`. */
function facts(changes: Partial<BaseDomainFacts> = {}): BaseDomainFacts {
  const here = at(HERE);
  return {
    names: { address: here, staging: here, wildcard: here, targets: here },
    http: { kind: "us", circles: false },
    https: { kind: "open" },
    caa: { permission: { kind: "allowed", methods: ["http-01"] }, records: [] },
    ...changes,
  };
}

const judged = async (
  changes: Partial<BaseDomainFacts>,
  {
    machine = [HERE],
    flags = {},
  }: { readonly machine?: readonly string[]; readonly flags?: Record<string, string> } = {},
) => {
  const proposed = candidate(NAME, await settingsOf(flags), machine);
  const checks = judge(proposed, facts(changes));
  return (id: BaseDomainCheckId) => {
    const found = checks.find((check) => check.id === id);
    if (found === undefined) throw new Error(`There is no check ${id}.`);
    return found;
  };
};

describe("a future base domain", () => {
  test("has no findings if all of its names point here and both ports answer", async () => {
    const proposed = candidate(NAME, await settingsOf(), [HERE]);
    const states = judge(proposed, facts()).map(({ id, state, fix }) => [id, state, fix]);
    expect(states).toEqual(
      ["name", "address", "staging", "wildcard", "targets", "http", "https", "caa"].map((id) => [
        id,
        "ok",
        null,
      ]),
    );
  });

  test("without DNS records lists the ones to add, with the address of this machine", async () => {
    const none: NameFacts = { kind: "none" };
    const of = await judged({
      names: { address: none, staging: none, wildcard: none, targets: none },
      http: { kind: "unlooked" },
      https: { kind: "unlooked" },
    });
    expect(of("wildcard")).toMatchObject({
      state: "failed",
      code: "no_record",
      subject: `*.${NAME}`,
      observed: null,
      expected: HERE,
      fix: expect.stringContaining(`*.${NAME} that points to ${HERE}`),
    });
    expect(of("targets").subject).toBe(`*.cname.${NAME}`);
    expect(of("http")).toMatchObject({ state: "skipped", code: "no_record" });
  });

  test("that points to another machine fails, and one that points to both machines is a warning", async () => {
    const names = { ...facts().names, address: at(ELSEWHERE), staging: at(HERE, ELSEWHERE) };
    const of = await judged({ names, http: { kind: "other", status: 200 } });
    expect(of("address")).toMatchObject({
      state: "failed",
      code: "elsewhere",
      observed: ELSEWHERE,
      expected: HERE,
    });
    expect(of("staging")).toMatchObject({ state: "warning", code: "partly_elsewhere" });
    expect(of("http")).toMatchObject({ state: "failed", code: "somebody_else" });
  });

  test("may point to a router or a proxy that forwards visitors here", async () => {
    const outside = at(ELSEWHERE);
    const names = { address: outside, staging: outside, wildcard: outside, targets: outside };
    const of = await judged({ names }, { machine: [] });
    for (const id of ["address", "staging", "wildcard", "targets"] as const) {
      expect([id, of(id).code]).toEqual([id, "right"]);
    }
  });

  test("whose names have different addresses is reported, whichever name comes first", async () => {
    const names = { ...facts().names, address: at(ELSEWHERE), wildcard: at("203.0.113.1") };
    const of = await judged({ names }, { machine: [] });
    expect(of("wildcard")).toMatchObject({ code: "elsewhere", expected: ELSEWHERE });
  });

  test("whose DNS cannot be queried is not reported as having wrong records", async () => {
    const names = { ...facts().names, address: { kind: "unknown" } } as const;
    expect((await judged({ names }))("address")).toMatchObject({
      state: "warning",
      code: "dns_silent",
    });
  });

  test("is not reported as closed if a router may prevent this machine from reaching itself", async () => {
    const closed = { http: { kind: "timeout" }, https: { kind: "refused" } } as const;
    const direct = await judged(closed);
    expect([direct("http").state, direct("https").state]).toEqual(["failed", "failed"]);
    const behind = await judged(closed, { machine: [] });
    expect([behind("http").state, behind("https").state]).toEqual(["warning", "warning"]);
  });

  test("with a private address is reported as unreachable from the Internet", async () => {
    const names = { ...facts().names, address: at("10.0.0.1") };
    const of = await judged({ names, http: { kind: "unlooked" } });
    expect(of("http")).toMatchObject({
      state: "failed",
      code: "no_public_address",
      observed: "10.0.0.1",
    });
  });

  test("is reported without a certificate only once it is the base domain", async () => {
    const https = { kind: "open" } as const;
    expect((await judged({ https }))("https")).toMatchObject({ code: "open", state: "ok" });
    const present = await judged({ https }, { flags: { "base-domain": NAME } });
    expect(present("https")).toMatchObject({ code: "open", state: "warning" });
    expect((await judged({ https: undefined }))("https").code).toBe("https_off");
  });

  test("reports the CAA records that forbid the CA", async () => {
    const records = [`example.org CAA 0 issue "other.example"`];
    const forbidden = { kind: "forbidden", reason: "other_issuer" } as const;
    expect((await judged({ caa: { permission: forbidden, records } }))("caa")).toMatchObject({
      state: "failed",
      code: "ca_forbidden",
      observed: records[0],
    });
    expect((await judged({ caa: undefined }))("caa").state).toBe("skipped");
  });
});

describe("the advice for a base domain", () => {
  test("is an A and an AAAA record for each name, with Staging covered by the wildcard", async () => {
    const proposed = candidate(NAME, await settingsOf(), [HERE, "2001:db8::7"]);
    expect(recordsFor(proposed).map(({ type, name, value }) => [type, name, value])).toEqual([
      ["A", NAME, HERE],
      ["AAAA", NAME, "2001:db8::7"],
      ["A", `*.${NAME}`, HERE],
      ["AAAA", `*.${NAME}`, "2001:db8::7"],
      ["A", `*.cname.${NAME}`, HERE],
      ["AAAA", `*.cname.${NAME}`, "2001:db8::7"],
    ]);
  });

  test("has its own record for Staging if projects have their own domain", async () => {
    const flags = { "sites-domain": "sites.example.net", "edge-addresses": ELSEWHERE };
    const proposed = candidate(NAME, await settingsOf(flags), [HERE]);
    expect(recordsFor(proposed).map(({ name, value }) => [name, value])).toEqual([
      [NAME, ELSEWHERE],
      [`staging.${NAME}`, ELSEWHERE],
      ["*.sites.example.net", ELSEWHERE],
      [`*.cname.${NAME}`, ELSEWHERE],
    ]);
  });

  test("leaves the record's value open if the public address is unknown", async () => {
    const proposed = candidate(NAME, await settingsOf(), []);
    expect(new Set(recordsFor(proposed).map(({ value }) => value))).toEqual(new Set([null]));
  });

  test("lists the missing options, by flag, variable and file key", async () => {
    const settings = await settingsOf();
    const proposed = candidate(NAME, settings, [HERE]);
    expect(optionsFor(proposed, settings)).toEqual([
      { name: "base-domain", environment: "PETSTORE_BASE_DOMAIN", value: NAME },
      { name: "listen", environment: "PETSTORE_LISTEN", value: ":80" },
      { name: "listen-https", environment: "PETSTORE_LISTEN_HTTPS", value: ":443" },
      { name: "edge-addresses", environment: "PETSTORE_EDGE_ADDRESSES", value: HERE },
    ]);
  });

  test("is empty if everything is set up correctly, also behind a proxy", async () => {
    const done = await settingsOf({ "base-domain": NAME, "trusted-proxies": "10.0.0.0/8" });
    expect(optionsFor(candidate(NAME, done, []), done)).toEqual([]);
    const local = await settingsOf();
    expect(optionsFor(candidate("localhost", local, [HERE]), local)).toEqual([]);
    expect(recordsFor(candidate("localhost", local, [HERE]))).toEqual([]);
  });
});
