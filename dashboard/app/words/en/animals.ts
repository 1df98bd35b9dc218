import { number, plural } from "../format.ts";

/** Animals and their categories. */
export const animals = {
  title: "Animals",
  about: "Everybody who waits for a home, or has found one.",
  categories: "Categories",
  importing: "Import",
  deleted: "Recently deleted",
  sections: "Parts of the catalogue",
  stagingText:
    "This is Staging: a place to try things out. Visitors never see these animals, and programs reach them with a test key only.",

  name: "Name",
  category: "Category",
  status: "Status",
  number: "Number",
  actions: "Actions",
  statusOf: (name: string) => `Status of ${name}`,

  find: "Find by name",
  anyStatus: "Every status",
  anyCategory: "Every category",
  clear: "Show all",
  shown: (count: number, more: boolean) =>
    more
      ? `The newest ${number(count)} are shown`
      : plural(count, { one: "1 animal", other: `${number(count)} animals` }),

  add: "Add an animal",
  addAnother: "Save and add another",
  added: (name: string) => `${name} was added.`,
  addedSoFar: (names: string) => `Added: ${names}`,
  editTitle: (name: string) => `Change ${name}`,
  edit: "Change",
  ordersOf: "Show its orders",
  nameHint: "As visitors know it: up to 120 characters. Two animals may have the same name.",
  newCategory: "New category…",
  changed: (name: string) => `${name} was changed.`,
  statusHint: {
    available: "Waits for a home.",
    pending: "Somebody is interested.",
    sold: "Has a new home. This writes an order.",
  },

  sold: (name: string) => `${name} has a new home. An order was written.`,
  pending: (name: string) => `${name} is now pending.`,
  available: (name: string) => `${name} is available again.`,
  returnTitle: (name: string) => `Is ${name} back?`,
  returnText:
    "An animal that was sold becomes available again, and visitors see it at once. The order stays: it tells of what happened then.",
  returnAction: "Make available",

  removed: (name: string) => `${name} was deleted.`,
  restored: (name: string) => `${name} is back.`,
  restore: "Restore",
  restoreOne: (name: string) => `Restore ${name}`,
  export: "Export all as CSV",
  exporting: (count: number) => `Exporting: ${number(count)} so far`,
  exported: (count: number) =>
    plural(count, { one: "1 animal exported.", other: `${number(count)} animals exported.` }),
  formulas: (count: number) =>
    plural(count, {
      one: "One name begins with = + - or @: a spreadsheet may take it for a formula.",
      other: `${number(count)} names begin with = + - or @: a spreadsheet may take them for formulas.`,
    }),

  emptyTitle: "No animals yet",
  emptyText:
    "Add them one by one, or all at once from a spreadsheet. They appear on your site at once.",
  emptyViewerText: "Somebody who may change this account has to add them.",
  noneFoundTitle: "No animal is like that",
  noneFoundText: "Other words, or fewer of them, may find it.",
  importInstead: "Import a file",

  deletedAbout: "For 48 hours an animal that was deleted can be brought back as it was.",
  deletedAt: "Deleted",
  restorableUntil: "Can be restored until",
  deletedEmptyTitle: "Nothing was deleted",
  deletedEmptyText: "What you delete stays here for 48 hours.",

  categoriesAbout: "What kinds of animals there are. Sites and programs can show one kind alone.",
  animalsOf: "Show its animals",
  addCategory: "Add a category",
  categoryName: "Name",
  categoryHint: "Up to 80 characters; no two categories have the same name.",
  categoryAdded: (name: string) => `The category ${name} was added.`,
  renameCategory: (name: string) => `Rename ${name}`,
  rename: "Rename",
  categoryRenamed: (name: string) => `The category is now called ${name}.`,
  deleteCategory: (name: string) => `Delete the category ${name}?`,
  deleteCategoryText: "Only a category without animals can be deleted.",
  categoryDeleted: (name: string) => `The category ${name} was deleted.`,
  categoryInUse: (name: string) =>
    `Animals still belong to ${name}. Give them another category first. Animals that were deleted count for 48 hours, for they can be restored.`,
  categoriesEmptyTitle: "No categories yet",
  categoriesEmptyText: "Every animal belongs to one: dogs, cats, rabbits.",
};
