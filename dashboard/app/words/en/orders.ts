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
};

export type OrdersWords = typeof orders;
