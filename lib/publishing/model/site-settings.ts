import {
  fieldNames,
  fieldsIn,
  fieldsOf,
  type FieldChanges,
  type FieldKinds,
} from "../../base/fields.ts";
import { rowSchemas, type FieldSchemas } from "../../base/row-schemas.ts";
import { check } from "../../base/check.ts";
import { oneOf, string } from "../../base/schema.ts";
import { withoutUndefined } from "../../base/without-undefined.ts";
import { normalText } from "../../model/text.ts";
import { onOrOff, schemes, siteLanguages, type Project, type SiteSettings } from "./project.ts";
import {
  accentSchema,
  contactMembers,
  linkMembers,
  textMembers,
  titleSchema,
  type SiteFile,
} from "./site-file.ts";
import { faultOfPath } from "./site-file-texts.ts";

/** The name of a setting of a site. */
export type SiteField = keyof SiteSettings;

const kinds: FieldKinds<SiteSettings, Record<never, never>> = {
  language: "optional",
  title: "optional",
  heading: "optional",
  intro: "optional",
  contactName: "optional",
  email: "optional",
  phone: "optional",
  address: "optional",
  hours: "optional",
  website: "optional",
  donate: "optional",
  visit: "optional",
  enquiries: "optional",
  logo: "optional",
  accent: "optional",
  scheme: "optional",
};

/** The names of all settings of a site, in the order in which they are shown. */
export const siteFields: readonly SiteField[] = fieldNames<SiteSettings>(kinds);

/** The schema of each setting. */
export const siteFieldSchemas: FieldSchemas<SiteSettings> = {
  language: oneOf(siteLanguages, {
    description: "Language of the storefront's own texts. Default: en.",
    examples: ["de"],
  }),
  title: titleSchema,
  heading: textMembers.heading,
  intro: textMembers.intro,
  contactName: contactMembers.name,
  email: contactMembers.email,
  phone: contactMembers.phone,
  address: contactMembers.address,
  hours: contactMembers.hours,
  website: contactMembers.url,
  donate: linkMembers.donate,
  visit: linkMembers.visit,
  enquiries: oneOf(onOrOff, {
    description: "Whether each animal's page leads to an enquiry form. Default: on.",
  }),
  logo: string(faultOfPath, {
    pattern: "^/",
    maxLength: 2_048,
    description: "Path of an image in the live deploy. Ignored while the deploy lacks it.",
    examples: ["/logo.png"],
  }),
  accent: accentSchema,
  scheme: oneOf(schemes, { description: "Colours of the storefront. Default: auto." }),
};

/** The schemas of the settings and of a change of them, in which null removes a setting. */
export const siteSchemas: ReturnType<typeof rowSchemas<SiteSettings, Record<never, never>>> =
  rowSchemas(kinds, siteFieldSchemas);

/** A change of settings: null removes one, and those that it lacks stay as they are. */
export type SiteChange = FieldChanges<SiteSettings>;

/** Returns the settings of a project. The accent and the scheme are those of its theme. */
export function settingsOf({ site, theme }: Pick<Project, "site" | "theme">): SiteSettings {
  return fieldsOf(siteFields, { ...site, ...theme });
}

/** Returns why a change of settings is invalid; undefined if valid. */
export function faultOfChange(change: SiteChange): string | undefined {
  const checked = check(siteSchemas.changed, change, "The change");
  return checked.ok ? undefined : checked.failure[0].message;
}

/** Returns the parts of a project that keep its settings after a change. Text is trimmed and normalized. */
export function changedSettings(
  project: Pick<Project, "site" | "theme">,
  change: SiteChange,
): Required<Pick<Project, "site" | "theme">> {
  const given = fieldsIn(siteFields, change);
  const normal = Object.entries(given).map(([name, value]) => [
    name,
    typeof value === "string" ? normalText(value) : value,
  ]);
  const { accent, scheme, ...site } = fieldsOf<SiteSettings>(siteFields, {
    ...settingsOf(project),
    ...Object.fromEntries(normal),
  });
  return { site, theme: withoutUndefined({ accent, scheme }) };
}

/** A setting of a site and where it is from. */
export interface SiteOf {
  /** The settings that visitors see. */
  readonly values: SiteSettings;
  /** The settings that the live deploy's `petstore.site.json` decides, whatever the project keeps. */
  readonly deployWins: readonly SiteField[];
}

/** Combines the settings of a project with the site file of its live deploy, which wins field by field. */
export function siteOf(settings: SiteSettings, siteFile: SiteFile): SiteOf {
  const own = settingsInFile(siteFile);
  return {
    values: { ...settings, ...own },
    deployWins: siteFields.filter((name) => own[name] !== undefined),
  };
}

/** Returns what a site file says about the settings. */
function settingsInFile({ title, language, theme = {}, storefront }: SiteFile): SiteSettings {
  const settings = storefront === false ? {} : (storefront ?? {});
  const { texts = {}, contact = {}, links = {}, enquiries } = settings;
  return fieldsOf<SiteSettings>(siteFields, {
    title,
    language,
    ...theme,
    heading: texts.heading,
    intro: texts.intro,
    contactName: contact.name,
    email: contact.email,
    phone: contact.phone,
    address: contact.address,
    hours: contact.hours,
    website: contact.url,
    ...links,
    enquiries: enquiries === undefined ? undefined : enquiries ? "on" : "off",
  });
}

/**
 * Returns the site file of a deploy as its author wrote it. That of a starter was written by Petstore, so it decides nothing.
 */
export function authoredSiteFile(
  { source }: { readonly source: "archive" | "starter" },
  siteFile: SiteFile,
): SiteFile {
  return source === "starter" ? {} : siteFile;
}
