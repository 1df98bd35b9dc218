import type { StorefrontSettings } from "../model/site-file.ts";
import type { SiteSettings } from "../model/project.ts";
import { authoredSiteFile, settingsOf, siteOf } from "../model/site-settings.ts";
import { withoutUndefined } from "../../base/without-undefined.ts";
import { encodePath } from "../serving/request-target.ts";
import type { Site } from "../site.ts";
import type { StorefrontRequest } from "../storefront.ts";
import { languageOf, type Language } from "./language.ts";
import { shownBy, storefrontOf, type Shown } from "./shown.ts";
import type { Style, Look } from "./style.ts";

/** The parts shared by all pages of a site. */
export interface Presentation {
  readonly site: Site;
  readonly origin: string;
  readonly title: string;
  readonly description: string | undefined;
  /** The encoded path of an image in the deploy. */
  readonly logo: string | undefined;
  readonly settings: StorefrontSettings;
  readonly language: Language;
  readonly shown: Shown;
  readonly style: Style;
  /** Visitors can ask about animals in a form. Absent: they cannot. */
  readonly asks?: boolean;
  /** The UTC date of the visit: `2026-11-20`. */
  readonly today: string;
}

export function presentationOf(
  { site, origin }: Pick<StorefrontRequest, "site" | "origin">,
  style: Style,
  today: string,
): Presentation {
  const { project, manifest, files } = site;
  const { title, language, logo, ...values } = valuesOf(site);
  return {
    site,
    origin,
    title: title ?? project.name,
    description: manifest.site.description,
    logo: logo !== undefined && files.has(logo) ? encodePath(logo) : undefined,
    settings: combined(storefrontOf(site), values),
    language: languageOf(language),
    shown: shownBy(site),
    style,
    today,
  };
}

/** Returns the settings that visitors see: those of the project, and what the deploy's site file decides. */
export function valuesOf({ project, deploy, manifest }: Site): SiteSettings {
  return siteOf(settingsOf(project), authoredSiteFile(deploy, manifest.site)).values;
}

/** Puts the settings that visitors see into those of the storefront. */
function combined(storefront: StorefrontSettings, values: SiteSettings): StorefrontSettings {
  const { heading, intro, contactName, email, phone, address, hours, website } = values;
  const [donate, visit] = [values.donate, values.visit].map(linked);
  return {
    ...storefront,
    texts: { ...storefront.texts, ...withoutUndefined({ heading, intro }) },
    contact: withoutUndefined({ name: contactName, email, phone, address, hours, url: website }),
    links: withoutUndefined({ donate, visit }),
  };
}

/** Returns an address that a page may link to; undefined for one of another kind, which a checked setting never is. */
function linked(address: string | undefined): string | undefined {
  return address !== undefined && /^(?:https?:\/\/|mailto:|tel:)/i.test(address)
    ? address
    : undefined;
}

/** Returns false for a site whose owner turned the enquiry form off. */
export function wantsEnquiries(site: Site): boolean {
  return valuesOf(site).enquiries !== "off";
}

/** Returns the colours of a site. `scheme` is the visitor's choice. */
export function lookOf(site: Site, scheme: "light" | "dark" | undefined): Look {
  const { accent, scheme: chosen = "auto" } = valuesOf(site);
  return { scheme: scheme ?? chosen, ...withoutUndefined({ accent }) };
}

/** Animals per page. */
export function pageSizeOf({ pageSize = 24 }: StorefrontSettings): number {
  return pageSize;
}
