import { expect, test } from "bun:test";

import { recordLines, writeDomain } from "../../cli/domain-view.ts";
import type { Terminal } from "../../cli/terminal.ts";
import { leadsOnlyHere } from "../../domains/view/texts.ts";
import { systemClock } from "../../lib/base/clock.ts";
import { views } from "../helpers/domains/views.ts";
import type { DomainRecordView } from "../../domains/view/shapes.ts";

const alias: DomainRecordView = {
  purpose: "routing",
  required: true,
  type: "ALIAS",
  typeText: "ALIAS (or ANAME)",
  name: "@",
  fqdn: "shelter.org",
  value: "0123.cname.petstore.example",
  ttl: 3_600,
  state: "missing",
  checkedAt: null,
  found: [],
};
const address: DomainRecordView = {
  ...alias,
  required: false,
  type: "A",
  typeText: "A",
  value: "192.0.2.7",
};

test.each([true, false])(
  "addresses are shown as an alternative to an ALIAS (states: %p)",
  (states) => {
    const lines = recordLines([alias, address], { states });
    expect(lines.filter((line) => line.includes("use instead of an ALIAS record"))).toEqual([
      expect.stringContaining("  • "),
    ]);
  },
);

test("an optional ALIAS is shown as an alternative to the addresses", () => {
  const lines = recordLines([
    { ...alias, required: false },
    { ...address, required: true },
  ]);
  expect(lines.filter((line) => line.includes("use instead of"))).toEqual([
    "  • not found yet; routes visitors here; use instead of the addresses",
  ]);
});

test("a different record is shown within the width of a terminal", () => {
  const value = `${"0".repeat(32)}.cname.petstore.example`;
  const found = [{ server: "ns1.shelter.org", type: "CNAME", value, ttl: 5 }] as const;
  const lines = recordLines([{ ...alias, state: "wrong", found }]);
  expect(lines.slice(4).join(" ").replace(/\s+/g, " ")).toBe(
    ` • a different record exists: CNAME ${value}; routes visitors here`,
  );
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
});

test.each([
  ["0123.cname.localhost", views.live.domain, true],
  ["0123.cname.petstore.example", views.live.domain, false],
  ["localhost.example", views.live.domain, false],
  ["0123.cname.localhost", "pets.localhost", false],
])(
  "a record to %s leads visitors of %s only to the server's own machine: %p",
  async (value, domain, only) => {
    const view = { ...views.live, domain, records: [{ ...alias, value }] };
    expect(leadsOnlyHere(view)).toBe(only);
    let shown = "";
    const terminal = { out: async (text: string) => void (shown += text) } as unknown as Terminal;
    await writeDomain({ terminal, program: "petstore", clock: systemClock }, view);
    const flat = shown.replace(/\s+/g, " ");
    expect(flat.includes("Set base-domain to a name that leads to this server")).toBe(only);
  },
);
