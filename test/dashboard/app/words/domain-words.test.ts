import { afterEach, beforeEach, describe, expect, test } from "bun:test";

import { domainWords as german } from "../../../../dashboard/app/words/de/domain-words.ts";
import { domainWords as english } from "../../../../dashboard/app/words/en/domain-words.ts";
import { dateTime, inLocalTime, showLanguage } from "../../../../dashboard/app/words/format.ts";
import {
  findingCodes,
  headlineFor,
  timelineKinds,
  wordsFor,
} from "../../../../domains/view/texts.ts";
import type { DomainFindingView, DomainView } from "../../../../domains/view/shapes.ts";
import { toWire } from "../../../../lib/base/wire.ts";
import { verify } from "../../../../domains/model/verification.ts";
import { reportOf } from "../../../../domains/view/report.ts";
import { views } from "../../../helpers/domains/views.ts";
import { situations } from "../../../helpers/situations.ts";
import { factsOf, surveyOf } from "../../../helpers/survey.ts";

beforeEach(() => showLanguage("de"));
afterEach(() => showLanguage("en"));

function sent<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(toWire(value))) as Value;
}

/** Extracts the names and addresses of a text. Excludes instants, whose format depends on the language. */
function factsIn(text: string): readonly string[] {
  const timeless = text.replaceAll(/\b\d{4}-\d\d-\d\d [\d:]+ UTC/g, "");
  return (timeless.match(/[\w*-]+(?:\.[\w-]+)+|[\da-f]*:[\da-f:]+:[\da-f]+/g) ?? []).toSorted();
}

const found: readonly DomainFindingView[] = situations.flatMap(
  (situation) => reportOf(verify(surveyOf(situation), factsOf(situation)), false).findings,
);

describe("in German", () => {
  test("every finding of every situation is translated, with the same names and values", () => {
    expect(found.length).toBeGreaterThan(60);
    for (const finding of sent(found)) {
      const said = wordsFor(german.findings, finding);
      const { code, observed, fix } = finding;
      expect(said.observed, code).not.toBe(observed);
      expect(said.fix === "", code).toBe(fix === "");
      const text = `${said.observed} ${said.expected} ${said.fix}`;
      expect(text, code).not.toMatch(/undefined|\[object|NaN/);
      const values = new Set(factsIn(text));
      const lost = factsIn(`${observed} ${fix}`).filter((fact) => !values.has(fact));
      expect(lost, code).toEqual([]);
    }
  });

  test("every domain state has its own headline", () => {
    for (const [name, view] of Object.entries<DomainView>(views)) {
      const { headline, nextAction } = sent(view);
      const named = view.dns.findings.find(({ code }) => code === view.headlineData["finding"]);
      const finding = named === undefined ? undefined : wordsFor(german.findings, sent(named));
      const translated = headlineFor(
        german.headlines,
        sent(view),
        finding ?? { observed: "", fix: "" },
      );
      expect(translated.headline, name).not.toBe(headline);
      expect(translated.nextAction === null, name).toBe(nextAction === null);
      expect(translated.headline, name).not.toMatch(/undefined|NaN/);
    }
  });

  test("a finding about several servers lists them in German", () => {
    const silent = (name: string): string =>
      german.findings.dns_unreachable({ name, reason: "timeout" }).observed;
    expect(silent("a.example")).toStartWith("a.example hat nicht");
    expect(silent("a.example and b.example")).toStartWith("a.example und b.example haben nicht");
    expect(silent("a, b, c and 3 more")).toStartWith("a, b, c und 3 weitere haben nicht");
  });

  test("an existing record is changed in the field that the provider names", () => {
    const wanted = {
      type: "CNAME",
      name: "pets",
      zone: "shelter.org",
      value: "a.example",
    } as const;
    const fix = (provider?: "namecheap"): string =>
      german.findings.cname_mismatch({
        wanted: { ...wanted, fqdn: "pets.shelter.org", ...(provider && { provider }) },
        observed: "b.example",
        difference: { start: "", observed: "b", expected: "a", end: ".example" },
        zoneAppended: false,
      }).fix;
    expect(fix()).toEndWith("und setzen Sie „Wert“ auf a.example.");
    expect(fix("namecheap")).toEndWith("und setzen Sie „Value“ auf a.example.");
  });

  test("a finding of a later version keeps the service's text", () => {
    const later: DomainFindingView = {
      code: "moon_phase",
      severity: "warning",
      observed: "The moon is full.",
      expected: "Another one.",
      fix: "Wait.",
      server: null,
      data: {},
    };
    expect(wordsFor(german.findings, later)).toMatchObject({ observed: "The moon is full." });
  });
});

test.each([
  ["English", english],
  ["German", german],
])("in %s every finding has a title, and every timeline entry a name", (_, words) => {
  expect(Object.keys(words.titles).toSorted()).toEqual(Object.keys(findingCodes).toSorted());
  expect(Object.keys(words.view.kinds).toSorted()).toEqual([...timelineKinds].toSorted());
  expect(Object.values(words.titles).filter((title) => title.trim() === "")).toEqual([]);
});

test("headlines give every date with the preposition of a date", () => {
  const claimed = { unicode: "pets.shelter.org", until: Date.UTC(2026, 10, 24, 10) };
  const text = english.headlines.claimed(claimed, { observed: "", fix: "" }).headline;
  expect(text).toEndWith("it moves to your account on 2026-11-24 10:00 UTC.");
  showLanguage("en");
  expect(inLocalTime(text)).toEndWith(`to your account on ${dateTime(claimed.until)}.`);
  // Today has a date too.
  const today = { ...claimed, until: Date.now() };
  const spoken = inLocalTime(english.headlines.claimed(today, { observed: "", fix: "" }).headline);
  expect(spoken).toEndWith(`to your account on ${dateTime(today.until)}.`);
  showLanguage("de");
  const translated = german.headlines.claimed(claimed, { observed: "", fix: "" }).headline;
  expect(translated).toEndWith(`am ${dateTime(claimed.until)} kommt sie zu Ihnen.`);
  for (const [name, { headline, nextAction, dns }] of Object.entries<DomainView>(views)) {
    const fixes = dns.findings.map(({ observed, fix }) => `${observed} ${fix}`).join(" ");
    expect(`${headline} ${nextAction} ${fixes}`, name).not.toMatch(/ at \d{4}-\d\d-\d\d/);
  }
});

test("the dashboard never refers domain owners to the command line", () => {
  for (const finding of sent(found)) {
    expect(wordsFor(english.findings, finding).fix, finding.code).not.toMatch(
      /petstore (domains|deploy)/,
    );
  }
});

test("one foreign address is singular, two are plural", () => {
  const observedOf = (foreign: readonly string[]): readonly string[] =>
    [english, german].map(
      ({ findings }) => findings.aaaa_elsewhere({ fqdn: "a.example", foreign, ours: [] }).observed,
    );
  expect(observedOf(["2001:db8::1"])).toEqual([
    "a.example has the IPv6 address 2001:db8::1, which does not belong to this service.",
    "a.example hat eine fremde IPv6-Adresse: 2001:db8::1.",
  ]);
  expect(observedOf(["2001:db8::1", "2001:db8::2"])).toEqual([
    "a.example has the IPv6 addresses 2001:db8::1 and 2001:db8::2, which do not belong to this service.",
    "a.example hat fremde IPv6-Adressen: 2001:db8::1 und 2001:db8::2.",
  ]);
});
