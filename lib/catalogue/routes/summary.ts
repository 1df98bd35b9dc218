import { done } from "../../base/result.ts";
import { count, fields, shape } from "../../base/shape.ts";
import { operation } from "./operation.ts";

const summaryShape = shape("CatalogueSummary", {
  pets: fields(
    { available: count(), pending: count(), sold: count() },
    {},
    { description: "Animals by status; deleted animals are not counted." },
  ),
  orders: count(),
  categories: count(),
});

const getSummary = operation({
  method: "GET",
  path: "/summary",
  management: { operationId: "getCatalogueSummary", role: "viewer" },
  summary: "Count the contents of a catalogue",
  description: "The number of animals by status, of orders, and of categories.",
  success: "The current counts.",
  output: {
    schema: summaryShape,
    example: { pets: { available: 12, pending: 2, sold: 31 }, orders: 31, categories: 3 },
  },
  run: async ({ store: { pets, ...store } }, { catalogueId: id }) => {
    const [available, pending, sold, orders, categories] = await Promise.all([
      pets.count(id, { status: "available" }),
      pets.count(id, { status: "pending" }),
      pets.count(id, { status: "sold" }),
      store.orders.count(id, {}),
      store.categories.count(id),
    ]);
    return done({ pets: { available, pending, sold }, orders, categories });
  },
});

export const summaryOperations = [getSummary] as const;
