import { describe, expect, test } from "bun:test";

import { groupFindings } from "../../../../../dashboard/app/pages/domains/domain-rules.ts";
import {
  isPropagating,
  serverAnswers,
  type ServerAnswer,
} from "../../../../../dashboard/app/pages/domains/server-answers.ts";
import { fromWire, toWire } from "../../../../../lib/base/wire.ts";
import type { DomainView } from "../../../../../domains/view/shapes.ts";
import { MINUTE_MS } from "../../../../../lib/base/clock.ts";
import { viewAfter, views } from "../../../../helpers/domains/views.ts";
import { NOW, RIGHT } from "../../../../helpers/survey.ts";
import type { DomainFindingView } from "../../../../../domains/view/shapes.ts";

/** Returns the answers for the routing record, as the browser receives them. */
function saidOf(view: DomainView): readonly ServerAnswer[] {
  // The wire format parses back into a view.
  const { records, dns } = fromWire(JSON.parse(JSON.stringify(toWire(view)))) as DomainView;
  const [record] = records;
  if (record === undefined) throw new Error("There is no record.");
  return serverAnswers(record, dns);
}

describe("the servers' answers", () => {
  test("agree after propagation", () => {
    const said = saidOf(views.live);
    expect(said.map(({ server, state }) => [server, state])).toEqual([
      ["ns1.dns.test", "new"],
      ["ns2.dns.test", "new"],
      ["home", "new"],
      ["public", "new"],
    ]);
    expect(isPropagating(said)).toBe(false);
  });

  test("start with the resolver's cached answer and its expiry", () => {
    const said = saidOf(views.remembered);
    expect(said[0]).toEqual({
      server: "public",
      values: [{ type: "A", value: "203.0.113.9" }],
      state: "old",
      until: NOW + 10 * MINUTE_MS,
    });
    expect(said.slice(1).map(({ state }) => state)).toEqual(["new", "new", "new"]);
    expect(isPropagating(said)).toBe(true);
  });

  test("show the old addresses that a resolver has cached beside the new CNAME", () => {
    const dns = viewAfter({
      dns: { resolvers: { public: { ...RIGHT, a: ["203.0.113.9"], ttl: 600 } } },
    });
    expect(saidOf(dns)[0]).toEqual({
      server: "public",
      values: [{ type: "A", value: "203.0.113.9" }],
      state: "old",
      until: NOW + 10 * MINUTE_MS,
    });
  });

  test("include a name server without the record", () => {
    const [first] = saidOf(views.lagging);
    expect(first).toEqual({
      server: "ns2.dns.test",
      values: [],
      state: "old",
      until: undefined,
    });
  });

  test("exclude CAA records", () => {
    const dns = viewAfter({
      dns: {
        change: (survey) => {
          const allows = { flags: 0, tag: "issue", value: "letsencrypt.org" };
          const forbids = { ...allows, value: "digicert.com" };
          const at = survey.hostname;
          const lookup = { kind: "found", at, owner: at } as const;
          const behind = { at, servers: ["ns2.dns.test"], ahead: ["ns1.dns.test"] };
          return {
            ...survey,
            caa: { ...lookup, records: [allows] },
            caaBehind: [{ ...behind, lookup: { ...lookup, records: [forbids] } }],
            caaCached: [
              { vantage: "home", lookup: { ...lookup, records: [forbids] }, until: NOW + 60_000 },
            ],
          };
        },
      },
    });
    const codes = dns.dns.findings.map(({ code }) => code);
    expect(codes).toEqual(["ns_disagree", "propagating", "cname_found"]);
    expect(new Set(saidOf(dns).map(({ state }) => state))).toEqual(new Set(["new"]));
  });

  test("are not propagating if all servers agree on a wrong value", () => {
    const said = saidOf(views.in_the_way);
    expect(new Set(said.map(({ state }) => state))).toEqual(new Set(["other"]));
    expect(said[0]?.values).toHaveLength(3);
    expect(isPropagating(said)).toBe(false);
  });

  test("compare names as the DNS does", () => {
    const { records, dns } = views.live;
    const [record] = records;
    if (record === undefined) throw new Error("There is no record.");
    const value = `${record.value.toUpperCase()}.`;
    const found = [{ server: "ns1", type: "CNAME", value, ttl: 60 }];
    expect(serverAnswers({ ...record, found }, dns)[0]?.state).toBe("new");
  });

  test("accept the addresses of an ALIAS target", () => {
    const proof = saidOf(views.proof);
    expect(new Set(proof.map(({ state }) => state))).toEqual(new Set(["new"]));
  });
});

const finding = (
  code: DomainFindingView["code"],
  server: string | null,
  fix = "",
): DomainFindingView => ({
  code,
  severity: "warning",
  data: null,
  observed: `${server ?? "It"} is silent.`,
  expected: "An answer.",
  fix,
  server,
});

test("findings that differ only in the observed value are grouped at the first one", () => {
  const groups = groupFindings(
    [
      finding("dns_unreachable", "ns1"),
      finding("a_conflict", null, "Delete it."),
      finding("dns_unreachable", "ns2"),
      finding("dns_unreachable", "ns3", "Ask them."),
    ],
    (one) => one,
  );
  expect(groups.map(({ finding: { code }, fix, seen }) => ({ code, fix, seen }))).toEqual([
    {
      code: "dns_unreachable",
      fix: "",
      seen: [
        { observed: "ns1 is silent.", server: "ns1" },
        { observed: "ns2 is silent.", server: "ns2" },
      ],
    },
    {
      code: "a_conflict",
      fix: "Delete it.",
      seen: [{ observed: "It is silent.", server: null }],
    },
    {
      code: "dns_unreachable",
      fix: "Ask them.",
      seen: [{ observed: "ns3 is silent.", server: "ns3" }],
    },
  ]);
});

test("each instruction appears once: not again if the page or an earlier finding has it", () => {
  const add = 'Then add a CNAME record: name "pets".';
  const groups = groupFindings(
    [
      finding("conflicting_a", null, `Delete the A records and the AAAA record. ${add}`),
      finding("conflicting_aaaa", null, `Delete the AAAA record. ${add}`),
      finding("caa_error", null, "Ask the provider. Delete the AAAA record. Wait."),
      finding("dns_unreachable", null, "Wait."),
    ],
    (one) => one,
    `Delete the A records and the AAAA record. ${add}`,
  );
  expect(groups.map(({ fix }) => fix)).toEqual([
    "",
    "Delete the AAAA record.",
    "Ask the provider. Wait.",
    "",
  ]);
});
