import { describe, expect, test } from "bun:test";

import { decodeMessage } from "../../domains/dns/message.ts";
import { encodeQuery, loadCodec } from "../../domains/dns/packet.ts";
import type { RecordType } from "../../domains/model/answer.ts";
import { readQuestion, writeAnswer } from "../../testing/domains/sandbox/dns-message.ts";
import { clearWay, mistaken, mistakes } from "../../server/demo/mistakes.ts";
import {
  createRegistrarZone,
  type EnteredRecord,
} from "../../testing/domains/sandbox/registrar-zone.ts";
import { answerFrom, zoneWith, type ZoneRecord } from "../../testing/domains/sandbox/zones.ts";

await loadCodec();

const zones = [
  zoneWith(
    "shelter.test",
    [
      { name: "shelter.test", type: "MX", value: "10 mail.shelter.test" },
      { name: "shelter.test", type: "CAA", value: '0 issue "ca.test"' },
      { name: "shelter.test", type: "TXT", value: "a".repeat(300) },
      { name: "www.shelter.test", type: "CNAME", value: "me.cname.host.test" },
      { name: "six.shelter.test", type: "AAAA", value: "2001:db8::2:1" },
      { name: "a.b.shelter.test", type: "A", value: "192.0.2.7" },
    ],
    7,
  ),
  zoneWith("host.test", [{ name: "*.cname.host.test", type: "A", value: "127.0.0.1" }], 1),
];

/** Sends a question as a client does; returns what it reads. */
function ask(name: string, type: RecordType, recursionDesired = false) {
  const flags = { id: 4_711, recursionDesired, checkingDisabled: false, edns: true };
  const question = readQuestion(encodeQuery({ name, type }, flags));
  if (question === undefined) throw new Error("the question was not read");
  const message = decodeMessage(
    writeAnswer(question, answerFrom(zones, question, recursionDesired), "udp"),
  );
  return message && { ...message, data: message.answers.map(({ data }) => data) };
}

describe("the demo's name server", () => {
  test("repeats the id and the question, letter case included", () => {
    expect(ask("A.b.Shelter.test", "A")).toMatchObject({
      id: 4_711,
      question: { name: "A.b.Shelter.test", type: 1 },
      rcode: 0,
      authoritative: true,
      data: ["192.0.2.7"],
    });
  });

  test.each([
    ["shelter.test", "MX", { preference: 10, exchange: "mail.shelter.test" }],
    ["shelter.test", "CAA", { flags: 0, tag: "issue", value: "ca.test" }],
    ["shelter.test", "TXT", "a".repeat(300)],
    ["shelter.test", "NS", "ns1.registrar.localhost"],
    ["six.shelter.test", "AAAA", "2001:db8::2:1"],
    ["me.cname.host.test", "A", "127.0.0.1"],
  ] as const)("%s has a %s record", (name, type, data) => {
    expect(ask(name, type)?.data).toEqual([data]);
  });

  test("follows an alias from zone to zone", () => {
    const both = ["me.cname.host.test", "127.0.0.1"];
    expect(ask("www.shelter.test", "A")?.data).toEqual(both);
    expect(ask("www.shelter.test", "A", true)?.data).toEqual(both);
    expect(ask("www.shelter.test", "CNAME")?.data).toEqual(["me.cname.host.test"]);
  });

  test("tells a missing name from one without such records, and refuses other zones", () => {
    const soa = { type: "SOA", data: { serial: 7 } };
    expect(ask("no.shelter.test", "A")).toMatchObject({ rcode: 3, authorities: [soa] });
    expect(ask("b.shelter.test", "A")).toMatchObject({ rcode: 0, data: [], authorities: [soa] });
    expect(ask("elsewhere.example", "A")).toMatchObject({ rcode: 5 });
    expect(ask("elsewhere.example", "A", true)).toMatchObject({ rcode: 3, authoritative: false });
  });

  test("ends chains that go in circles", () => {
    const circle: ZoneRecord[] = [
      { name: "a.test", type: "CNAME", value: "b.test" },
      { name: "b.test", type: "CNAME", value: "a.test" },
    ];
    const { answers } = answerFrom(
      [zoneWith("test", circle, 1)],
      { name: "a.test", type: "A" },
      true,
    );
    expect(answers.length).toBeLessThan(20);
  });

  test("says over UDP that a long answer is only available over TCP", () => {
    const long = Array.from({ length: 6 }, (_, index) => ({
      name: "long.test",
      type: "TXT" as const,
      value: `${index}${"x".repeat(400)}`,
    }));
    const flags = { id: 1, recursionDesired: false, checkingDisabled: false, edns: true };
    const question = readQuestion(encodeQuery({ name: "long.test", type: "TXT" }, flags));
    if (question === undefined) throw new Error("the question was not read");
    const answer = answerFrom([zoneWith("test", long, 1)], question, false);
    expect(decodeMessage(writeAnswer(question, answer, "udp"))).toMatchObject({
      truncated: true,
      answers: [],
    });
    expect(decodeMessage(writeAnswer(question, answer, "tcp"))?.answers).toHaveLength(6);
  });

  test("ignores what is no question", () => {
    const flags = { id: 1, recursionDesired: false, checkingDisabled: false, edns: true };
    const query = encodeQuery({ name: "shelter.test", type: "A" }, flags);
    for (let length = 0; length < query.length - 11; length++) {
      expect(readQuestion(query.subarray(0, length))).toBeUndefined();
    }
    const response = Uint8Array.from(query, (octet, index) => (index === 2 ? octet | 0x80 : octet));
    expect(readQuestion(response)).toBeUndefined();
  });
});

describe("the demo's registrar", () => {
  const zone = (...records: readonly EnteredRecord[]) =>
    createRegistrarZone("shelter.test", records);

  test("appends the domain to every name", () => {
    const { records } = zone(
      { label: "www.shelter.test", type: "A", value: "192.0.2.1" },
      { label: "@", type: "A", value: "192.0.2.2" },
    ).zone;
    expect(records.map(({ name }) => name).slice(2)).toEqual([
      "www.shelter.test.shelter.test",
      "shelter.test",
    ]);
  });

  test.each([
    [{ label: "w w", type: "A", value: "192.0.2.1" }, "label"],
    [{ label: "w", type: "A", value: "2001:db8::1" }, "address"],
    [{ label: "w", type: "AAAA", value: "fe80::1%eth0" }, "address"],
    [{ label: "w", type: "CNAME", value: "https://x" }, "target"],
    [{ label: "@", type: "CNAME", value: "x.test" }, "beside_alias"],
    [{ label: "w", type: "MX", value: "mail.test" }, "mail"],
    [{ label: "w", type: "CAA", value: "ca.test" }, "authority"],
    [{ label: "w", type: "TXT", value: "x".repeat(501) }, "text"],
  ] as const)("refuses %j", (record, fault) => {
    expect(zone().add(record)).toEqual({ ok: false, failure: fault });
  });

  test("keeps an alias alone, whichever record comes first, and has a limit", () => {
    const alias = { label: "w", type: "CNAME", value: "x.test" } as const;
    const address = { label: "w", type: "A", value: "192.0.2.1" } as const;
    expect(zone(alias).add(address)).toMatchObject({ failure: "beside_alias" });
    expect(zone(address).add(alias)).toMatchObject({ failure: "beside_alias" });
    const full = zone();
    for (let index = 0; index < 50; index++) full.add({ ...address, label: `w${index}` });
    expect(full.add(address)).toMatchObject({ failure: "full" });
    // A change adds none.
    expect(full.replace(full.records[0]?.id ?? 0, address).ok).toBe(true);
  });

  test("every ready mistake can be entered, differs from what is wanted, and can be cleared away", () => {
    const wanted = { type: "CNAME", fqdn: "www.shelter.test", value: "0f.cname.host.test" };
    const right = { label: "www", type: "CNAME", value: wanted.value };
    for (const mistake of mistakes) {
      const made = zone();
      const records = mistaken(mistake, wanted, made.apex);
      expect(records.map((record) => made.add(record).ok)).toEqual(records.map(() => true));
      expect([mistake, records]).not.toEqual([mistake, [right]]);
      clearWay(made, wanted);
      expect([mistake, made.records]).toEqual([mistake, []]);
    }
  });
});
