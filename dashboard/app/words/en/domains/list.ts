import { number } from "../../format.ts";

/** The table of domains, and what stands there while it has no row. */
export const list = {
  title: "Domains",
  actions: "What can be done",
  details: "Records and details",
  visit: "Visit",

  noneTitle: "No domain yet",
  noneText: "Add yours, enter one record at your DNS provider, and the site is there, with HTTPS.",
  domain: "Domain",
  role: "What it does",
  status: "Status",
  primary: "Shows the site",
  primaryBadge: "Primary",
  leadsTo: (to: string) => `Leads to ${to}`,
  twin: (name: string) => `Visitors type both: add ${name} too, and let it lead to this one.`,
  addTwin: (name: string) => `Add ${name}`,
  limit: (count: number) => `${number(count)} of 100 domains`,
};
