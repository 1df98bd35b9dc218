import { done } from "../../base/result.ts";
import { orderStatuses, type StoredOrder, MAX_ID } from "../model.ts";
import { catalogueLimit, pageReply, pageIn } from "./pages.ts";
import { endpoint } from "../../http/endpoint.ts";
import { inAccount } from "../../management/endpoint.ts";
import { inCatalogue } from "../../management/in-catalogue.ts";
import { choiceParameter, integerParameter } from "../../http/parameters.ts";
import { withoutUndefined } from "../../base/without-undefined.ts";
import { ordersShape } from "../schema.ts";

export const orderEndpoints = [
  endpoint({
    operationId: "listAnimalOrders",
    method: "GET",
    path: "/accounts/:account/:environment/orders",
    tag: "animals",
    access: inAccount("viewer"),
    summary: "List orders",
    description: "Newest first. An order is created when an animal becomes `sold`.",
    query: {
      petId: integerParameter("Only orders of this animal.", { minimum: 1, maximum: MAX_ID }),
      status: choiceParameter("Only orders in this status.", orderStatuses),
      after: integerParameter("Only orders older than the one with this ID.", {
        minimum: 1,
        maximum: MAX_ID,
      }),
      limit: catalogueLimit,
    },
    success: {
      status: 200,
      description: "One page. `Link` leads to the next one, if any.",
      schema: ordersShape,
      example: [{ id: 1, petId: 1, status: "placed", createdAt: "2026-11-20T09:30:00.000Z" }],
      headers: ["Link"],
    },
    refusals: ["not_found"],
    run: (call, { store }) =>
      inCatalogue(call, store, async (catalogueId, environment) => {
        const { account, query } = call;
        const filter = withoutUndefined({ petId: query.petId, status: query.status });
        const found = await store.orders.list(catalogueId, filter, pageIn(query, "desc"));
        const path = `/accounts/${account.id}/${environment}/orders`;
        return done(pageReply(call, { path, found, filters: filter, show: orderRow }));
      }),
  }),
];

function orderRow({ id, petId, status, createdAt }: StoredOrder): StoredOrder {
  return { id, petId, status, createdAt };
}
