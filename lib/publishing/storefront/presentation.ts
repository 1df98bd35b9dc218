import type { StorefrontSettings } from "../model/site-file.ts";
import { encodePath } from "../serving/request-target.ts";
import type { Site } from "../site.ts";
import type { StorefrontRequest } from "../storefront.ts";
import { languageOf, type Language } from "./language.ts";
import { settingsOf, shownBy, type Shown } from "./shown.ts";
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
}

export function presentationOf(
  { site, origin }: Pick<StorefrontRequest, "site" | "origin">,
  style: Style,
): Presentation {
  const { project, manifest, files } = site;
  const { title, description, language, theme } = manifest.site;
  return {
    site,
    origin,
    title: title ?? project.name,
    description,
    logo: theme?.logo !== undefined && files.has(theme.logo) ? encodePath(theme.logo) : undefined,
    settings: settingsOf(site),
    language: languageOf(language),
    shown: shownBy(site),
    style,
  };
}

/** Combines the themes of the site file and the project. `scheme` is the visitor's choice. */
export function lookOf({ project, manifest }: Site, scheme: "light" | "dark" | undefined): Look {
  const theme = { ...project.theme, ...manifest.site.theme };
  return {
    scheme: scheme ?? theme.scheme ?? "auto",
    ...(theme.accent !== undefined && { accent: theme.accent }),
  };
}

/** Animals per page. */
export function pageSizeOf({ pageSize = 24 }: StorefrontSettings): number {
  return pageSize;
}
