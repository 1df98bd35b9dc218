import { number, plural } from "../format.ts";
import { animalFields } from "./animal-fields.ts";

/** Animals and their categories. */
export const animals = {
  title: "Animals",
  about: "Animals waiting for a home, and animals that have found one.",
  categories: "Categories",
  importing: "Import",
  deleted: "Recently deleted",
  sections: "Catalogue sections",

  name: animalFields.name,
  category: animalFields.categoryId,
  status: animalFields.status,
  number: "Number",
  numbered: (id: number) => `Number ${id}`,
  actions: "Actions",
  statusOf: (name: string) => `Status of ${name}`,

  find: "Search by name",
  anyStatus: "All statuses",
  anyCategory: "All categories",
  clear: "Clear filters",
  /** `total` is known if more follow than are shown. */
  shown: (count: number, total?: number) =>
    total === undefined || total <= count
      ? plural(count, { one: "1 animal", other: `${number(count)} animals` })
      : `Showing ${number(count)} of ${number(total)} animals`,

  order: {
    label: "Order",
    newest: "Newest first",
    oldest: "Oldest first",
    name: "By name",
    tooMany: (most: number) =>
      `At most ${number(most)} animals can be sorted by name. Search or filter first.`,
  },
  bulk: {
    pick: "Select",
    pickOne: (name: string) => `Select ${name}`,
    selectAll: "Select all shown",
    selected: (count: number) =>
      plural(count, { one: "1 selected", other: `${number(count)} selected` }),
    selectMatching: (count: number) => `Select all ${number(count)} that match`,
    selectFirst: (most: number, count: number) =>
      `Select the first ${number(most)} of ${number(count)}`,
    actions: "Change selected animals",
    status: "Set status",
    category: "Set category",
    clear: "Clear selection",
    stop: "Stop",
    running: "Changing animals",
    progress: (done: number, total: number) => `${number(done)} of ${number(total)}`,
    adopt: {
      title: (count: string) => `Record ${count} adoptions?`,
      text: "Each selected animal is marked as adopted, and its adoption is recorded.",
      action: "Record adoptions",
    },
    return: {
      title: (count: string) => `Are ${count} animals back?`,
      text: "Visitors see these animals as available again. Their adoption records are kept.",
      action: "Make available",
    },
    delete: {
      title: (count: string) => `Delete ${count} animals?`,
      text: "They disappear from your sites immediately. You can restore them for 48 hours.",
      action: "Delete animals",
    },
    moved: {
      available: (count: number) =>
        plural(count, {
          one: "1 animal is available.",
          other: `${number(count)} animals are available.`,
        }),
      pending: (count: number) =>
        plural(count, {
          one: "1 animal is reserved.",
          other: `${number(count)} animals are reserved.`,
        }),
      sold: (count: number) =>
        plural(count, {
          one: "1 animal has been adopted.",
          other: `${number(count)} animals have been adopted.`,
        }),
    },
    filed: (count: number, category: string) =>
      plural(count, {
        one: `Moved 1 animal to ${category}.`,
        other: `Moved ${number(count)} animals to ${category}.`,
      }),
    removed: (count: number) =>
      plural(count, { one: "Deleted 1 animal.", other: `Deleted ${number(count)} animals.` }),
    undone: (count: number) =>
      plural(count, {
        one: "1 animal is as it was before.",
        other: `${number(count)} animals are as they were before.`,
      }),
    failed: (count: number) =>
      plural(count, {
        one: "1 animal was not changed.",
        other: `${number(count)} animals were not changed.`,
      }),
    fault: (name: string, reason: string) => `${name}: ${reason}`,
    moreFailed: (count: number) => `and ${number(count)} more`,
    adopted: "An adopted animal can only become available.",
  },

  add: "Add animal",
  save: "Save animal",
  addAnother: "Save and add another",
  delete: "Delete animal",
  added: (name: string) => `Added ${name}.`,
  addedSoFar: (names: string) => `Added: ${names}`,
  edit: "Edit animal",
  addPhotos: "Add photos",
  /** Opens the animal's page on a site. */
  showOn: (site: string) => `Show on ${site}`,
  photosOf: {
    title: "Add photos to several animals",
    text: "Name each file after its animal, or by the animal's number: Rex.jpg, Rex 2.jpg, 7.jpg.",
    hint: (most: number) => `JPEG, PNG or WebP, at most ${number(most)} at a time.`,
    looking: "Finding the animals",
    sending: "Adding photos",
    progress: (done: number, total: number) => `${number(done)} of ${number(total)}`,
    action: (count: number) =>
      plural(count, { one: "Add 1 photo", other: `Add ${number(count)} photos` }),
    left: (count: number) =>
      plural(count, { one: "1 file is left out:", other: `${number(count)} files are left out:` }),
    beyond: (count: number) =>
      plural(count, {
        one: "1 more file: add it next.",
        other: `${number(count)} more files: add them next.`,
      }),
    none: "No animal has this name or number.",
    several: "Several animals have this name. Use the animal's number instead.",
  },
  ordersOf: "Show adoptions",
  nameHint: "Shown to visitors. Up to 120 characters.",
  newCategory: "New category…",
  statusHint: {
    available: "Waiting for a home.",
    pending: "Someone is interested.",
    sold: "Has found a home. Saving records an adoption.",
  },

  sold: (name: string) => `${name} has been adopted.`,
  pending: (name: string) => `${name} is now reserved.`,
  available: (name: string) => `${name} is available again.`,
  return: {
    action: "Make available",
    title: (name: string) => `Is ${name} back?`,
    text: "Visitors see the animal as available again. Its adoption record is kept.",
  },

  removed: (name: string) => `Deleted ${name}.`,
  restored: (name: string) => `Restored ${name}.`,
  restore: "Restore animal",
  restoreOne: (name: string) => `Restore animal ${name}`,
  export: "Export animals as CSV",
  exportPhotos: "Export with photos (zip)",
  exporting: (count: number) => `Exporting: ${number(count)} so far`,
  exported: (count: number) =>
    plural(count, { one: "Exported 1 animal.", other: `Exported ${number(count)} animals.` }),
  formulas: (count: number) =>
    plural(count, {
      one: "One name starts with =, +, - or @, so a spreadsheet may read it as a formula.",
      other: `${number(count)} names start with =, +, - or @, so a spreadsheet may read them as formulas.`,
    }),

  emptyTitle: "No animals yet",
  emptyText:
    "Add animals one by one, or import a spreadsheet. They appear on your sites immediately.",
  emptyViewerText: "Staff and owners of this account can add animals.",
  noneFoundTitle: "No animals match",
  noneFoundText: "Change or clear the filters.",
  importInstead: "Import file",

  deletedAbout: "You can restore deleted animals for 48 hours.",
  deletedAt: "Deleted",
  restorableUntil: "Permanently deleted",
  deletedEmptyTitle: "No deleted animals",
  deletedEmptyText: "Animals you delete stay here for 48 hours.",

  categoriesAbout: "Categories group your animals. A project can show all of them or some.",
  animalsOf: "Show animals",
  addCategory: "Add category",
  categoryName: "Name",
  categoryHint: "Up to 80 characters. Each category needs a unique name.",
  categoryAdded: (name: string) => `Added the category ${name}.`,
  renameCategory: { action: "Rename category", title: (name: string) => `Rename ${name}` },
  categoryRenamed: (name: string) => `Renamed the category to ${name}.`,
  deleteCategory: {
    action: "Delete category",
    title: (name: string) => `Delete category ${name}?`,
    text: "You can delete a category only when it has no animals.",
    done: (name: string) => `Deleted the category ${name}.`,
  },
  categoryInUse: (name: string) =>
    `${name} still has animals. Move them to another category first. Deleted animals count for 48 hours because they can be restored.`,
  categoriesEmptyTitle: "No categories yet",
  categoriesEmptyText: "Every animal belongs to a category, such as dogs, cats or rabbits.",
};

export type AnimalsWords = typeof animals;
