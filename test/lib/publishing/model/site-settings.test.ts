import { expect, test } from "bun:test";
import {
  changedSettings,
  faultOfChange,
  settingsOf,
  siteFields,
  siteOf,
} from "../../../../lib/publishing/model/site-settings.ts";
import type { SiteFile } from "../../../../lib/publishing/model/site-file.ts";

const full: SiteFile = {
  title: "T",
  language: "pt",
  theme: { accent: "#112233", scheme: "dark", logo: "/l.png" },
  storefront: {
    texts: { heading: "H", intro: "I" },
    contact: {
      name: "N",
      email: "a@example.org",
      phone: "+1 555 0100",
      address: "A",
      hours: "O",
      url: "https://example.org",
    },
    links: { donate: "https://example.org/give", visit: "tel:+15550100" },
    enquiries: true,
  },
};

test("a site file decides every setting that it names, and no other", () => {
  const own = Object.fromEntries(siteFields.map((name) => [name, `own ${name}`]));
  const all = siteOf(own, full);
  expect(all.deployWins).toEqual(siteFields);
  expect(Object.values(all.values).join()).not.toContain("own");
  const some = siteOf(own, { title: "T", storefront: { contact: { phone: "+1 555 0100" } } });
  expect(some.deployWins).toEqual(["title", "phone"]);
  expect(some.values).toEqual({ ...own, title: "T", phone: "+1 555 0100" });
});

test("a site file that turns the storefront off decides the title and colours alone", () => {
  expect(siteOf({ email: "a@b.org" }, { title: "T", storefront: false })).toEqual({
    values: { email: "a@b.org", title: "T" },
    deployWins: ["title"],
  });
});

test("a change keeps the other settings, null removes one, and colours belong to the theme", () => {
  const project = {
    site: { title: "A", phone: "+1 555 0100" },
    theme: { scheme: "dark" },
  } as const;
  const changed = changedSettings(project, { title: null, heading: "  Héllo ", accent: "#112233" });
  expect(changed).toEqual({
    site: { phone: "+1 555 0100", heading: "Héllo" },
    theme: { scheme: "dark", accent: "#112233" },
  });
  expect(settingsOf(changed)).toEqual({ ...changed.site, ...changed.theme });
});

const wrong: readonly (readonly [name: string, value: unknown])[] = [
  ["language", "it"],
  ["title", ""],
  ["title", " "],
  ["title", "x".repeat(121)],
  ["heading", "two\nlines"],
  ["intro", "x".repeat(4_001)],
  ["email", "not an address"],
  ["phone", "call us"],
  ["address", "x".repeat(501)],
  ["website", "javascript:alert(1)"],
  ["website", "https://user:secret@example.org"],
  ["donate", "javascript:alert(1)"],
  ["donate", "tel:+15550100"],
  ["donate", "mailto:a@example.org?body=I%20give%20all"],
  ["donate", `https://example.org/${"x".repeat(2_048)}`],
  ["visit", "tel:now or never"],
  ["visit", "data:text/html,x"],
  ["visit", "//example.org"],
  ["visit", "HTTPS//example.org"],
  ["enquiries", "no"],
  ["logo", "logo.png"],
  ["logo", "/../logo.png"],
  ["logo", "//example.org/logo.png"],
  ["accent", "red"],
  ["scheme", "blue"],
  ["colour", "#112233"],
];

test.each(wrong)("a change of %s to %p is refused", (name, value) => {
  expect(faultOfChange({ [name]: value })).toMatch(new RegExp(`"${name}"|${name}`));
});

test("every setting accepts a value of its kind, and null", () => {
  const settings = {
    language: "fr",
    title: "Refuge",
    heading: "Ils cherchent un foyer",
    intro: "Deux\nlignes",
    contactName: "Accueil",
    email: "bonjour@example.org",
    phone: "+33 1 55 50 10 00",
    address: "1, rue des Chats\n75000 Paris",
    hours: "10 h–16 h",
    website: "https://example.org",
    donate: "https://example.org/don",
    visit: "tel:+33155501000",
    enquiries: "off",
    logo: "/logo.png",
    accent: "#1f6feb",
    scheme: "auto",
  } as const;
  expect(Object.keys(settings)).toEqual([...siteFields]);
  expect(faultOfChange(settings)).toBeUndefined();
  expect(faultOfChange(Object.fromEntries(siteFields.map((name) => [name, null])))).toBeUndefined();
});

test("links of each kind that visitors can follow are accepted", () => {
  for (const visit of ["https://example.org/visit", "http://a.example", "tel:+1-555-0100"])
    expect(faultOfChange({ visit })).toBeUndefined();
  expect(faultOfChange({ donate: "mailto:give@example.org" })).toBeUndefined();
});
