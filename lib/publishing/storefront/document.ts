import type { SiteLinks, StorefrontSettings } from "../model/site-file.ts";
import type { Words } from "./language.ts";
import { markup, type Markup, type Part } from "./markup.ts";
import { paw } from "./placeholder.ts";
import type { Presentation } from "./presentation.ts";

/** The metadata and content of a page. */
export interface Page {
  /** Default: the site's title. */
  readonly title?: string;
  /** Default: the site's. */
  readonly description?: string | undefined;
  /** Canonical path and query. Without it, search engines do not index the page. */
  readonly canonical?: string;
  /** Paths and queries of the neighbouring pages. */
  readonly previous?: string | undefined;
  readonly next?: string | undefined;
  /** The image for social media previews. */
  readonly image?: { readonly path: string; readonly alt: string } | undefined;
  /** What programs read about the page. */
  readonly data?: Markup;
  readonly main: Markup;
  /** Omits the header and footer, for a frame in another page. */
  readonly embedded?: boolean;
}

/** Writes an HTML document. */
export function document(presentation: Presentation, page: Page): string {
  const { language, style } = presentation;
  const embedded = page.embedded === true;
  return markup`
    <!doctype html><html lang="${language.tag}" dir="${language.direction}"><head>
    <meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
    ${headOf(presentation, page)}${page.data}${style.head}</head><body${embedded && markup` class="embed"`}>
    ${!embedded && top(presentation)}<main id="content"><div class="wrap">${page.main}</div>
    </main>${!embedded && foot(presentation)}</body></html>
  `.toString();
}

function headOf({ title, origin, logo, ...presentation }: Presentation, page: Page): Markup {
  const { canonical, previous, next, embedded } = page;
  const { settings, language } = presentation;
  const heading = settings.texts?.heading ?? language.words.heading;
  const description = page.description ?? presentation.description ?? `${heading} · ${title}`;
  const link = (relation: string, address: string | undefined): Part =>
    address !== undefined && markup`<link rel="${relation}" href="${origin}${address}" />`;
  const feed = (type: string, path: string): Part =>
    markup`<link rel="alternate" type="${type}" title="${title}" href="${origin}${path}" />`;
  return markup`
    <title>${page.title === undefined ? title : `${page.title} · ${title}`}</title>
    ${named("description", description)}${
      (canonical === undefined || embedded === true) && named("robots", "noindex")
    }${link("canonical", canonical)}${link("prev", previous)}${link("next", next)}${
      canonical !== undefined && [
        social("og:type", "website"),
        social("og:site_name", title),
        social("og:title", page.title ?? title),
        social("og:description", description),
        social("og:url", `${origin}${canonical}`),
        page.image !== undefined && [
          social("og:image", `${origin}${page.image.path}`),
          social("og:image:alt", page.image.alt),
        ],
        named("twitter:card", page.image === undefined ? "summary" : "summary_large_image"),
      ]
    }<link rel="icon" href="${logo ?? "/icon.svg"}" />
    ${feed("application/atom+xml", "/feed.xml")}${feed("application/feed+json", "/feed.json")}
    ${feed("application/rss+xml", "/rss.xml")}
  `;
}

function named(name: string, content: string | undefined): Part {
  return (
    content !== undefined && content !== "" && markup`<meta name="${name}" content="${content}" />`
  );
}

/** Returns an OpenGraph tag, which Twitter reads too. */
function social(property: string, content: string | undefined): Part {
  return (
    content !== undefined &&
    content !== "" &&
    markup`<meta property="${property}" content="${content}" />`
  );
}

function top({ title, logo, language, settings }: Presentation): Markup {
  const mark = logo === undefined ? paw() : markup`<img src="${logo}" alt="" height="36" />`;
  return markup`
    <a class="skip" href="#content">${language.words.skip}</a><header class="top">
    <div class="wrap"><a class="brand" href="/">${mark}<span dir="auto">${title}</span></a>
    ${helpLinks(settings.links ?? {}, language.words)}</div></header>
  `;
}

/** Returns the links to donate and to visit; undefined without any. */
function helpLinks({ donate, visit }: SiteLinks, { help, ...words }: Words): Markup | undefined {
  if (donate === undefined && visit === undefined) return undefined;
  return markup`
    <nav class="help" aria-label="${help}">
    ${visit !== undefined && markup`<a href="${visit}">${words.visit}</a>`}
    ${donate !== undefined && markup`<a class="button" href="${donate}">${words.donate}</a>`}
    </nav>
  `;
}

function foot(presentation: Presentation): Markup {
  const { settings, language } = presentation;
  const facts = contactFacts(settings.contact ?? {}, language.words);
  const name = settings.contact?.name ?? language.words.contact;
  const footer = settings.texts?.footer;
  return markup`
    <footer class="foot"><div class="wrap">${
      facts !== undefined &&
      markup`<section aria-labelledby="contact"><h2 id="contact" dir="auto">${name}</h2>${facts}</section>`
    }${footer !== undefined && markup`<p dir="auto">${footer}</p>`}<p class="links">
    <a href="/">${language.words.everyCategory}</a><a href="/feed.xml">Atom</a><a href="/rss.xml">RSS</a><a href="/feed.json">JSON Feed</a>
    </p></div></footer>
  `;
}

type Contact = NonNullable<StorefrontSettings["contact"]>;

/** Returns the shelter's contact details as a list; undefined without any. */
function contactFacts(contact: Contact, words: Words): Markup | undefined {
  const { address, hours, phone, email, url } = contact;
  const facts: readonly (readonly [string, Part])[] = [
    [words.address, address],
    [words.hours, hours],
    [words.phone, phone !== undefined && markup`<a href="${phoneAddress(phone)}">${phone}</a>`],
    [words.email, email !== undefined && markup`<a href="${mailAddress(email)}">${email}</a>`],
    [words.website, url !== undefined && website(url)],
  ];
  const given = facts.filter(([, value]) => value !== undefined && value !== false);
  if (given.length === 0) return undefined;
  return markup`<dl>${given.map(
    ([term, value]) => markup`<div><dt>${term}</dt><dd dir="auto">${value}</dd></div>`,
  )}</dl>`;
}

/**
 * Returns buttons to ask, to write, to call and to arrange a visit. `subject` is the subject of the email; `form` leads to
 * the enquiry form, if there is one.
 */
export function contactActions(
  { contact: { email, phone } = {}, links: { visit } = {} }: StorefrontSettings,
  words: Words,
  subject: string,
  form?: { readonly path: string; readonly label: string },
): Markup | undefined {
  if ([form, email, phone, visit].every((way) => way === undefined)) return undefined;
  const main = (path: string, label: string, isMain: boolean): Markup =>
    markup`<a class="${isMain ? "button solid" : "button"}" href="${path}">${label}</a>`;
  return markup`<p class="actions">${form !== undefined && main(form.path, form.label, true)}${
    email !== undefined && main(mailAddress(email, subject), words.write, form === undefined)
  }${
    phone !== undefined &&
    markup`<a class="button" href="${phoneAddress(phone)}">${words.call} <bdi>${phone}</bdi></a>`
  }${visit !== undefined && markup`<a class="button" href="${visit}">${words.visit}</a>`}</p>`;
}

/** RFC 6068. */
function mailAddress(email: string, subject?: string): string {
  const to = encodeURIComponent(email).replaceAll("%40", "@");
  return `mailto:${to}${subject === undefined ? "" : `?subject=${encodeURIComponent(subject)}`}`;
}

/** Keeps the characters that RFC 3966 allows. */
function phoneAddress(phone: string): string {
  return `tel:${phone.replaceAll(/[^\d+]/g, "")}`;
}

/** Links only http and https addresses. */
function website(url: string): Part {
  if (!/^https?:\/\//i.test(url)) return url;
  return markup`<a href="${url}">${url.replace(/^https?:\/\//i, "").replace(/\/$/, "")}</a>`;
}
