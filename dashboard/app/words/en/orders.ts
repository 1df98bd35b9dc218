import { number, plural } from "../format.ts";

/** Adoptions: the API calls them orders. */
export const orders = {
  title: "Adoptions",
  about: "Recorded when an animal is adopted.",
  animal: "Animal",
  number: "Number",
  status: "Status",
  when: "Date",
  anyStatus: "All statuses",
  statuses: { placed: "Recorded", approved: "Approved", delivered: "Completed" },
  ofAnimal: (name: string) => `Adoptions of ${name}`,
  showAll: "Clear filters",
  gone: (id: number) => `Animal ${number(id)} (deleted)`,
  shown: (count: number, more: boolean) =>
    more
      ? `Showing the newest ${number(count)}`
      : plural(count, { one: "1 adoption", other: `${number(count)} adoptions` }),
  emptyTitle: "No adoptions yet",
  emptyText:
    "When an animal finds a home, set its status to Adopted. The adoption then appears here.",
  toAnimals: "Show animals",
  noneFoundTitle: "No adoptions match",
  noneFoundText: "Change or clear the filters.",

  actions: "Actions",
  returned: (day: string) => `Returned ${day}`,
  statusOf: (name: string) => `Status of the adoption of ${name}`,
  moved: (status: string) => `The adoption is now “${status}”.`,
  edit: "Edit adopter",
  editTitle: (name: string) => `Adoption of ${name}`,
  adopterName: "Adopter",
  adopterContact: "Contact",
  adopterContactHint: "Such as a phone number or an email address.",
  adopterDate: "Adoption date",
  adopterKept:
    "Only staff and owners of this account see this. It is deleted automatically after the retention period.",
  save: "Save adopter",
  saved: (name: string) => `Saved the adoption of ${name}.`,
  return: {
    action: "Record return",
    title: (name: string) => `Is ${name} back?`,
    text: "The animal becomes available again if it is still adopted. The adoption stays in the list, marked as returned.",
    done: (name: string) => `Recorded the return of ${name}.`,
  },
  remove: {
    action: "Remove adoption",
    title: (name: string) => `Was the adoption of ${name} a mistake?`,
    text: "The adoption and the adopter are removed permanently. The animal gets the status it had before.",
    done: (name: string) => `Removed the adoption of ${name}.`,
  },
};

export type OrdersWords = typeof orders;
