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

/** Everything is as it should be, but for `changes`. */
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
  const asked = candidate(NAME, await settingsOf(flags), machine);
  const checks = judge(asked, facts(changes));
  return (id: BaseDomainCheckId) => {
    const found = checks.find((check) => check.id === id);
    if (found === undefined) throw new Error(`There is no check ${id}.`);
    return found;
  };
};

describe("a name that is to be the base domain", () => {
  test("has nothing wrong with it when all of its names lead here and both ports answer", async () => {
    const asked = candidate(NAME, await settingsOf(), [HERE]);
    const states = judge(asked, facts()).map(({ id, state, fix }) => [id, state, fix]);
    expect(states).toEqual(
      ["name", "address", "staging", "wildcard", "targets", "http", "https", "caa"].map((id) => [
        id,
        "ok",
        null,
      ]),
    );
  });

  test("without records lists the ones to add, with the address of this machine", async () => {
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

  test("that leads to another machine fails, and one that leads to both is worth a look", async () => {
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

  test("may lead to a router or a proxy that brings visitors here", async () => {
    const outside = at(ELSEWHERE);
    const names = { address: outside, staging: outside, wildcard: outside, targets: outside };
    const of = await judged({ names }, { machine: [] });
    for (const id of ["address", "staging", "wildcard", "targets"] as const) {
      expect([id, of(id).code]).toEqual([id, "right"]);
    }
  });

  test("whose names have different addresses is reported, whatever the first one is", async () => {
    const names = { ...facts().names, address: at(ELSEWHERE), wildcard: at("203.0.113.1") };
    const of = await judged({ names }, { machine: [] });
    expect(of("wildcard")).toMatchObject({ code: "elsewhere", expected: ELSEWHERE });
  });

  test("that cannot be queried is no failure of its records", async () => {
    const names = { ...facts().names, address: { kind: "unknown" } } as const;
    expect((await judged({ names }))("address")).toMatchObject({
      state: "warning",
      code: "dns_silent",
    });
  });

  test("is not called closed by a machine that a router may keep from itself", async () => {
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

  test("lacks a certificate once it is the base domain, and not before", async () => {
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
  test("is a record of each kind of address for each name, and Staging under the wildcard", async () => {
    const asked = candidate(NAME, await settingsOf(), [HERE, "2001:db8::7"]);
    expect(recordsFor(asked).map(({ type, name, value }) => [type, name, value])).toEqual([
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
    const asked = candidate(NAME, await settingsOf(flags), [HERE]);
    expect(recordsFor(asked).map(({ name, value }) => [name, value])).toEqual([
      [NAME, ELSEWHERE],
      [`staging.${NAME}`, ELSEWHERE],
      ["*.sites.example.net", ELSEWHERE],
      [`*.cname.${NAME}`, ELSEWHERE],
    ]);
  });

  test("leaves the value open if the public address is unknown", async () => {
    const asked = candidate(NAME, await settingsOf(), []);
    expect(new Set(recordsFor(asked).map(({ value }) => value))).toEqual(new Set([null]));
  });

  test("is the options that are missing, in all of their names", async () => {
    const settings = await settingsOf();
    const asked = candidate(NAME, settings, [HERE]);
    expect(optionsFor(asked, settings)).toEqual([
      { name: "base-domain", environment: "PETSTORE_BASE_DOMAIN", value: NAME },
      { name: "listen", environment: "PETSTORE_LISTEN", value: ":80" },
      { name: "listen-https", environment: "PETSTORE_LISTEN_HTTPS", value: ":443" },
      { name: "edge-addresses", environment: "PETSTORE_EDGE_ADDRESSES", value: HERE },
    ]);
  });

  test("is nothing where all is as it should be, behind a proxy as well", async () => {
    const done = await settingsOf({ "base-domain": NAME, "trusted-proxies": "10.0.0.0/8" });
    expect(optionsFor(candidate(NAME, done, []), done)).toEqual([]);
    const local = await settingsOf();
    expect(optionsFor(candidate("localhost", local, [HERE]), local)).toEqual([]);
    expect(recordsFor(candidate("localhost", local, [HERE]))).toEqual([]);
  });
});
