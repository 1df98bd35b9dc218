/** The words of a project's settings. */
export const projectSettings = {
  general: { title: "Name and address", save: "Save name and address" },
  moves: (from: string, to: string) =>
    `Visitors of ${from} are redirected to ${to} for 30 days. Custom domains are not affected.`,
  shown: { title: "Animals shown", save: "Save selection" },
  shownText: "Animals that no longer match disappear from the site immediately.",
  statuses: "Status",
  statusFault: "Choose at least one status.",
  categories: "Categories",
  everyCategory: "All, including future ones",
  someCategories: "Only these",
  categoryFault: "Choose at least one category.",
  category: (id: number) => `Category ${id}`,
  share: "Embedding and feeds",
  shareEmpty: "The embedded list and the feeds work once the project is live.",
  embed: "Embed the animals in another site",
  embedHint:
    "Paste this code where the animals should appear. In WordPress, use a “Custom HTML” block.",
  embedTitle: "Our animals",
  embedCode: "embed code",
  feeds: "Feeds",
  feedsHint: "Portals and programs can read your current animals here.",
  feedJson: "JSON Feed",
  feedAtom: "Atom",
  feedRss: "RSS",
  feedSitemap: "Sitemap",
  deletion: "Deletion",
  delete: {
    action: "Delete project",
    title: (name: string) => `Delete ${name}?`,
    text: "Takes the site offline immediately on all its addresses. You can restore the project for 24 hours; after that, its deploys are permanently deleted.",
    done: (name: string) => `Deleted ${name}. Its site is offline.`,
  },
  onlyOwners: "Only an owner of the account can delete a project.",
};

export type ProjectSettingsWords = typeof projectSettings;
