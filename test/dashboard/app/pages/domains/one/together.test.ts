import { expect, test } from "bun:test";

import { together } from "../../../../../../dashboard/app/pages/domains/one/together.ts";
import type { DomainFindingView } from "../../../../../../lib/management/domain-view.ts";

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

test("findings that differ in what was seen alone are told once, at the first of them", () => {
  const told = together(
    [
      finding("dns_unreachable", "ns1"),
      finding("a_conflict", null, "Delete it."),
      finding("dns_unreachable", "ns2"),
      finding("dns_unreachable", "ns3", "Ask them."),
    ],
    (one) => one,
  );
  expect(told.map(({ finding: { code }, fix, seen }) => ({ code, fix, seen }))).toEqual([
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

test("what to do is told once: not what the page has said already, nor what stands above", () => {
  const add = 'Then add a CNAME record: name "pets".';
  const told = together(
    [
      finding("conflicting_a", null, `Delete the A records and the AAAA record. ${add}`),
      finding("conflicting_aaaa", null, `Delete the AAAA record. ${add}`),
      finding("caa_error", null, "Ask the provider. Delete the AAAA record. Wait."),
      finding("dns_unreachable", null, "Wait."),
    ],
    (one) => one,
    `Delete the A records and the AAAA record. ${add}`,
  );
  expect(told.map(({ fix }) => fix)).toEqual([
    "",
    "Delete the AAAA record.",
    "Ask the provider. Wait.",
    "",
  ]);
});
