import { number, plural } from "../format.ts";

/** Animals that found a home. */
export const orders = {
  title: "Orders",
  about: "An order is written each time an animal becomes sold: it says which one, and when.",
  animal: "Animal",
  number: "Order",
  status: "Status",
  when: "When",
  anyStatus: "Every status",
  statuses: { placed: "Placed", approved: "Approved", delivered: "Delivered" },
  ofAnimal: (name: string) => `Only orders of ${name}`,
  showAll: "Show all",
  gone: (id: number) => `Animal ${number(id)}, deleted`,
  shown: (count: number, more: boolean) =>
    more
      ? `The newest ${number(count)} are shown`
      : plural(count, { one: "1 order", other: `${number(count)} orders` }),
  emptyTitle: "No orders yet",
  emptyText: "Once an animal has found a home, mark it as sold: its order appears here.",
  toAnimals: "To the animals",
  noneFoundTitle: "No order is like that",
  noneFoundText: "With fewer filters there may be some.",
};
