import { done } from "../../base/result.ts";
import { endpoint } from "../../http/endpoint.ts";
import { inAccount } from "../../management/endpoint.ts";
import { inCatalogue } from "../../management/in-catalogue.ts";
import { count, fields, shape } from "../../base/shape.ts";

const summaryShape = shape("CatalogueSummary", {
  pets: fields(
    { available: count(), pending: count(), sold: count() },
    {},
    { description: "Animals by status; deleted animals are not counted." },
  ),
  orders: count(),
  categories: count(),
});

export const summaryEndpoints = [
  endpoint({
    operationId: "getCatalogueSummary",
    method: "GET",
    path: "/accounts/:account/:environment/summary",
    tag: "animals",
    access: inAccount("viewer"),
    summary: "Count the contents of a catalogue",
    description: "The number of animals by status, of orders, and of categories.",
    success: {
      status: 200,
      description: "The current counts.",
      schema: summaryShape,
      example: { pets: { available: 12, pending: 2, sold: 31 }, orders: 31, categories: 3 },
    },
    refusals: ["not_found"],
    run: (call, { store }) =>
      inCatalogue(call, store, async (id) => {
        const [available, pending, sold, orders, categories] = await Promise.all([
          store.pets.count(id, { status: "available" }),
          store.pets.count(id, { status: "pending" }),
          store.pets.count(id, { status: "sold" }),
          store.orders.count(id, {}),
          store.categories.count(id),
        ]);
        const value = { pets: { available, pending, sold }, orders, categories };
        return done(value);
      }),
  }),
];
