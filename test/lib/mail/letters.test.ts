import { describe, expect, test } from "bun:test";

import { join } from "node:path";

import type { MailKind, MailKinds } from "../../../lib/mail/kinds.ts";
import { mailLanguageOf } from "../../../lib/mail/words.ts";
import { writeMail, type WrittenMail } from "../../../lib/mail/write.ts";

const url = "https://pets.example.org/reset#pet_reset_8fJ2kQ0aZx_s3cret";
const expiresAt = Date.parse("2026-11-27T09:30:00Z");

const samples: { readonly [Kind in MailKind]: readonly MailKinds[Kind][] } = {
  invitation: [
    { name: "Grace", account: "Tierheim Sonnenhof", inviter: "Ada Lovelace", url, expiresAt },
    { name: "", url, expiresAt },
  ],
  password_reset: [
    { name: "Grace", url, expiresAt },
    { name: "", url, expiresAt },
  ],
  enquiry: [
    {
      site: "Tierheim Sonnenhof",
      animal: "Biscuit",
      name: "Zoë Müller",
      email: "zoe@example.org",
      phone: "+49 221 123456",
      message: "Hallo,\n\nist Biscuit noch da?\nViele Grüße",
      url: "https://pets.example.org/enquiries/12",
    },
    {
      site: "Tierheim Sonnenhof",
      name: "Zoë Müller",
      email: "zoe@example.org",
      message: "x".repeat(9_000),
      url: "https://pets.example.org/enquiries/12",
    },
  ],
  certificates_overdue: [
    {
      operator: false,
      stage: 1,
      overdue: 1,
      expired: 0,
      firstExpiresAt: expiresAt,
      names: ["pets.shelter.org"],
      url: "https://pets.example.org/accounts/acc_1",
    },
    {
      operator: true,
      stage: 2,
      overdue: 12,
      expired: 0,
      firstExpiresAt: expiresAt,
      names: ["pets.example.org", "müller.example"],
      url: "https://pets.example.org/system",
    },
    {
      operator: true,
      stage: 3,
      overdue: 2,
      expired: 1,
      firstExpiresAt: expiresAt,
      names: ["pets.example.org", "staging.pets.example.org"],
      url: "https://pets.example.org/system",
    },
    {
      operator: false,
      stage: 4,
      overdue: 1,
      expired: 1,
      firstExpiresAt: expiresAt,
      names: ["pets.shelter.org"],
      url: "https://pets.example.org/accounts/acc_1",
    },
  ],
  domain_attention: (
    ["records", "stalled", "moved", "released", "contested", "lost", "plan", "suspended"] as const
  ).map((trouble) => ({
    domain: "tiere.müller.example",
    trouble,
    url: "https://pets.example.org/projects/prj_1/domains/tiere.xn--mller-kva.example",
  })),
  backup_failed: [
    {
      reason: "/mnt/backups cannot be written: no space left on device.",
      lastGoodAt: expiresAt,
      url: "https://pets.example.org/system",
    },
    { reason: "The bucket does not answer.", url: "https://pets.example.org/system" },
  ],
  quota_reached: ([80, 100] as const).map((percent) => ({
    percent,
    limit: 10_000,
    environment: percent === 80 ? "production" : "staging",
    resetsAt: expiresAt,
    url: "https://pets.example.org/accounts/acc_1/usage",
  })),
  webhook_disabled: [
    {
      host: "hooks.shelter.org",
      description: "Updates our website",
      reason: "failing",
      status: 503,
      firstFailureAt: expiresAt,
      url: "https://pets.example.org/accounts/acc_1/webhooks",
    },
    {
      host: "hooks.shelter.org",
      reason: "gone",
      status: 410,
      url: "https://pets.example.org/accounts/acc_1/webhooks",
    },
    {
      host: "hooks.shelter.org",
      reason: "failing",
      systemId: "wh_5Rk8bQ2mZ7Lt",
      url: "https://pets.example.org/system",
    },
  ],
  new_device: [
    {
      name: "Grace",
      at: expiresAt,
      browser: "Firefox",
      system: "Linux",
      network: "203.0.113.…",
      url: "https://pets.example.org/profile",
    },
    { name: "", at: expiresAt, url: "https://pets.example.org/profile" },
  ],
  test: [{ url: "https://pets.example.org/" }],
};

/** Kinds whose mails have a link that turns them off, except their first sample. */
const linked: readonly MailKind[] = ["domain_attention", "certificates_overdue", "backup_failed"];
const unsubscribe =
  "https://pets.example.org/mails/8fJ2kQ0aZx1B-backup_failed-c2lnbmF0dXJlb2YyMmNoYX";

const every = (["en", "de"] as const).flatMap((language) =>
  Object.entries(samples).flatMap(([kind, all]) =>
    all.map((data, index) => ({
      title: `${language} ${kind} ${index + 1}`,
      mail: writeMail(
        // Each sample has the shape of its kind.
        {
          kind: kind as MailKind,
          data: data,
          unsubscribe: index > 0 && linked.includes(kind as MailKind) ? unsubscribe : undefined,
        },
        language,
      ),
    })),
  ),
);

test("every mail reads as in letters.golden.txt, for a reader of each language", async () => {
  const path = join(import.meta.dir, "letters.golden.txt");
  const shown = every.map(({ title, mail }) => {
    const text = mail.text.replaceAll(/x{100,}/g, (run) => `${run.length} × x`);
    return `=== ${title}\nSubject: ${mail.subject}\n\n${text}`;
  });
  // After a change: `UPDATE_GOLDEN=1 npx bun test test/lib/mail/letters.test.ts`, then read the file.
  if (process.env["UPDATE_GOLDEN"] === "1") await Bun.write(path, shown.join("\n"));
  expect(shown.join("\n")).toBe(await Bun.file(path).text());
});

describe.each(every)("$title", ({ mail }) => {
  test("says the same as text and as HTML", () => {
    expect(wordsIn(plainOf(mail.html))).toEqual(wordsIn(mail.text.replaceAll(/^>/gm, "")));
  });

  test("fetches nothing, tracks nothing, and sets no background that dark mode could not change", () => {
    expect(mail.html).not.toMatch(
      /<(?:img|link|script|iframe|object|style)\b|url\(|@import|srcset/i,
    );
    const addresses = [...mail.html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, one]) => one);
    expect(addresses.length).toBeGreaterThan(0);
    for (const address of addresses) expect(mail.text).toContain(address ?? "");
    const coloured = [...mail.html.matchAll(/style="([^"]*)"/g)].filter(([, style = ""]) =>
      /(?:^|;)(?:background|color):/.test(style),
    );
    for (const [, style] of coloured) expect(style).toMatch(/background:#\w+.*color:#\w+/);
    expect(mail.html).toContain('<meta name="color-scheme" content="light dark">');
  });

  test("has one line as subject, of its language", () => {
    expect(mail.subject).not.toMatch(/[\r\n]/);
    expect(mail.subject.length).toBeGreaterThan(5);
    expect(mail.html).toContain(`<html lang="${mail.language}">`);
  });
});

test("a reply to an enquiry goes to the visitor, and other mails have no address for replies", () => {
  for (const { title, mail } of every) {
    expect(mail.replyTo).toEqual(
      title.includes("enquiry") ? { address: "zoe@example.org", name: "Zoë Müller" } : undefined,
    );
  }
});

test("German readers get German, all others English", () => {
  const tags = ["de", "DE-at", "de-CH-1996", "den", "nds", "en-GB", "fr", "", "x\r\ny"];
  expect(tags.map(mailLanguageOf)).toEqual(["de", "de", "de", "en", "en", "en", "en", "en", "en"]);
});

const HOSTILE = `<img src=x onerror=alert(1)> & "quoted" 'text'\r\nBcc: eve@example.org\u0000\u202E`;

test("texts of others are shown as they are, and are no markup", () => {
  const mails: readonly WrittenMail[] = [
    writeMail(
      {
        kind: "invitation",
        data: { name: HOSTILE, account: HOSTILE, inviter: HOSTILE, url, expiresAt },
      },
      "en",
    ),
    writeMail(
      {
        kind: "enquiry",
        data: {
          site: HOSTILE,
          animal: HOSTILE,
          name: HOSTILE,
          email: "zoe@example.org",
          phone: HOSTILE,
          message: HOSTILE,
          url,
        },
      },
      "de",
    ),
  ];
  for (const { subject, text, html, replyTo } of mails) {
    expect(html).not.toContain("<img");
    expect(html).toContain(
      "&lt;img src=x onerror=alert(1)&gt; &amp; &quot;quoted&quot; &#39;text&#39;",
    );
    expect(text).toContain(`<img src=x onerror=alert(1)> & "quoted" 'text'`);
    for (const part of [subject, text, html, replyTo?.name ?? ""]) {
      for (const character of ["\u0000", "\u202E", "\r"]) expect(part).not.toContain(character);
    }
    expect(subject).not.toContain("\n");
    expect(replyTo?.name ?? "").not.toContain("\n");
  }
});

test("names and messages are cut, at a whole character", () => {
  const long = "🦔".repeat(20_000);
  const data = {
    site: long,
    animal: long,
    name: long,
    email: "a@b.c",
    phone: long,
    message: long,
    url,
  };
  const { subject, text, html } = writeMail({ kind: "enquiry", data }, "en");
  expect(subject.length).toBeLessThanOrEqual(201);
  for (const part of [subject, text, html]) {
    expect(part.isWellFormed()).toBe(true);
    expect(part.length).toBeLessThan(20_000);
  }
  expect(text).toContain("The text continues in the dashboard.");
});

function wordsIn(text: string): readonly string[] {
  return text
    .split(/\s+/)
    .map((word) => word.replace(/:$/, ""))
    .filter(Boolean);
}

/** Returns the visible text of one of our own mails. */
function plainOf(html: string): string {
  const body = html.slice(html.indexOf("<body"));
  return body
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
}
