/** The settings of a project's site. */
export const site = {
  about:
    "What visitors read on the storefront. Changes are visible within a second, without a deploy.",
  save: "Save site",
  off: "The live deploy turns the storefront off, so these settings have no effect.",
  wins: (file: string, value: string) => `${file} of the live deploy wins. Visitors see: ${value}`,
  winsOver: (file: string, count: number) =>
    count === 1
      ? `${file} of the live deploy decides one setting below, whatever you enter here.`
      : `${file} of the live deploy decides ${count} settings below, whatever you enter here.`,

  texts: "Language and texts",
  language: "Language of the visitor pages",
  languageHint: "Buttons, dates and labels. You write names and descriptions yourself.",
  languages: { en: "English", de: "German", es: "Spanish", fr: "French" },
  title: "Title",
  titleHint: (name: string) => `Leave empty for the name of the project: ${name}`,
  heading: "Heading",
  headingHint: (usual: string) => `Above the animals. Leave empty for: ${usual}`,
  intro: "Introduction",
  introHint: "Below the heading. Line breaks stay as you type them.",

  contact: "Contact",
  contactText:
    "Shown at the end of each page. Enquiries that visitors send with the form appear under Enquiries, and arrive at this email address if mail is set up.",
  enquiries: "Enquiry form",
  enquiriesHint: "Without it, visitors use the contact details below.",
  enquiryForm: { on: "On each animal's page", off: "No form" },
  contactName: "Name of the shelter or contact person",
  email: "Email address",
  phone: "Phone number",
  address: "Address",
  hours: "Opening hours",
  website: "Your website",

  links: "Links",
  linksText: "Shown at the top of each page.",
  donate: "Donations",
  donateHint: "An address that begins with https:// or mailto:",
  visit: "Visits",
  visitHint: "An address that begins with https://, mailto: or tel:",

  look: "Logo and colours",
  logo: "Logo",
  logoHint: "An image of the live deploy.",
  noLogo: "No logo",
  noImages: "The live deploy has no images yet.",
  addLogo: "Add image",
  unfitLogo: "Choose an SVG image of at most 1 MB, or a PNG, JPEG or WebP image of at most 25 MB.",
  missingLogo: (path: string) => `${path} (not in the live deploy)`,
  scheme: "Colours",
  schemes: {
    auto: "Match visitor's system",
    light: "Always light",
    dark: "Always dark",
  },
  accent: "Accent",
  accentHint: "The colour of links and buttons. Leave empty for the default, a warm red.",
  pick: "Pick colour",
  readable: "The contrast is good.",
  adjustedDark: (shown: string) => `Too bright on a white page, so the light theme uses ${shown}.`,
  adjustedLight: (shown: string) => `Too dark on a dark page, so the dark theme uses ${shown}.`,

  preview: "Preview",
  previewAnimal: "Rex",
  byDay: "Light",
  byNight: "Dark",

  faults: {
    language: "Choose one of the languages.",
    title: "Use at most 120 characters, without control characters.",
    heading: "Use at most 120 characters, without control characters.",
    intro: "Use at most 4,000 characters, without control characters.",
    enquiries: "Choose whether there is a form.",
    contactName: "Use at most 120 characters, without control characters.",
    email: "Enter one email address, such as hello@example.org.",
    phone: "Enter a phone number, such as +1 555 0100.",
    address: "Use at most 500 characters, without control characters.",
    hours: "Use at most 500 characters, without control characters.",
    website: "Enter an address that begins with https:// or http://.",
    donate: "Enter an address such as https://example.org/donate or mailto:donate@example.org.",
    visit:
      "Enter an address such as https://example.org/visit, or tel: and a number without spaces.",
    logo: "Choose an image of the live deploy.",
    accent: "Enter a colour such as #1f6feb.",
    scheme: "Choose one of the schemes.",
  },
};

export type SiteWords = typeof site;
