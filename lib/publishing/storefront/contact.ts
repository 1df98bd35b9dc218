import type { StorefrontSettings } from "../model/site-file.ts";
import { markup, type Markup, type Part } from "./markup.ts";
import type { Words } from "./words.ts";

type Contact = NonNullable<StorefrontSettings["contact"]>;

/** How the shelter can be reached, as a list; undefined where nothing is told. */
export function contactFacts(contact: Contact, words: Words): Markup | undefined {
  const { address, hours, phone, email, url } = contact;
  const facts: readonly (readonly [string, Part])[] = [
    [words.address, address],
    [words.hours, hours],
    [words.phone, phone !== undefined && markup`<a href="${phoneAddress(phone)}">${phone}</a>`],
    [words.email, email !== undefined && markup`<a href="${mailAddress(email)}">${email}</a>`],
    [words.website, url !== undefined && website(url)],
  ];
  const told = facts.filter(([, value]) => value !== undefined && value !== false);
  if (told.length === 0) return undefined;
  return markup`<dl>${told.map(
    ([term, value]) => markup`<div><dt>${term}</dt><dd dir="auto">${value}</dd></div>`,
  )}</dl>`;
}

/** Buttons to write and to call, about something. */
export function contactActions(
  { email, phone }: Contact,
  words: Words,
  subject: string,
): Markup | undefined {
  if (email === undefined && phone === undefined) return undefined;
  return markup`<p class="actions">${
    email !== undefined &&
    markup`<a class="button solid" href="${mailAddress(email, subject)}">${words.write}</a>`
  }${
    phone !== undefined &&
    markup`<a class="button" href="${phoneAddress(phone)}">${words.call} <bdi>${phone}</bdi></a>`
  }</p>`;
}

/** RFC 6068. */
function mailAddress(email: string, subject?: string): string {
  const to = encodeURIComponent(email).replaceAll("%40", "@");
  return `mailto:${to}${subject === undefined ? "" : `?subject=${encodeURIComponent(subject)}`}`;
}

/** What RFC 3966 takes of a number as people write it. */
function phoneAddress(phone: string): string {
  return `tel:${phone.replaceAll(/[^\d+]/g, "")}`;
}

/** Only what leads to a page is a link. */
function website(url: string): Part {
  if (!/^https?:\/\//i.test(url)) return url;
  return markup`<a href="${url}">${url.replace(/^https?:\/\//i, "").replace(/\/$/, "")}</a>`;
}
