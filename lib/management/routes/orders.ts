import { done } from "../../base/result.ts";
import { orderShown, orderStatuses, type OrderFilter } from "../../model/order.ts";
import { MAX_ID } from "../../model/pet.ts";
import { catalogueLimit, pageAnswer, pageIn } from "../catalogue-page.ts";
import type { ManagementEndpoint, ManagementCall } from "../endpoint.ts";
import { inCatalogue } from "../in-catalogue.ts";
import { choiceParameter, integerParameter, numberIn } from "../parameters.ts";
import { ordersShape } from "../schemas/orders.ts";

export const orderEndpoints: readonly ManagementEndpoint[] = [
  {
    operationId: "listAnimalOrders",
    method: "GET",
    path: "/accounts/:account/:environment/orders",
    tag: "animals",
    access: "account",
    role: "viewer",
    summary: "List orders",
    description: "Newest first. One is written whenever an animal becomes `sold`.",
    parameters: [
      integerParameter("petId", "Only orders of this animal.", { minimum: 1, maximum: MAX_ID }),
      choiceParameter("status", "Only orders in this status.", orderStatuses),
      integerParameter("after", "Only orders older than the one with this id.", {
        minimum: 1,
        maximum: MAX_ID,
      }),
      catalogueLimit,
    ],
    success: {
      status: 200,
      description: "One page; where there is more, `Link` leads to it.",
      schema: ordersShape,
      example: [{ id: 1, petId: 1, status: "placed", createdAt: "2026-11-20T09:30:00.000Z" }],
      headers: ["Link"],
    },
    refusals: ["not_found"],
    handle: (call, { store }) =>
      inCatalogue(call, store, async (catalogueId, environment) => {
        const { account, query } = call;
        const filter = filterOf(query);
        const found = await store.orders.list(catalogueId, filter, pageIn(query, "desc"));
        const path = `/accounts/${account.id}/${environment}/orders`;
        return done(pageAnswer(call, { path, found, again: { ...filter }, show: orderShown }));
      }),
  },
];

function filterOf(query: ManagementCall["query"]): OrderFilter {
  const petId = numberIn(query, "petId");
  const status = orderStatuses.find((one) => one === query["status"]);
  return {
    ...(petId === undefined ? {} : { petId }),
    ...(status === undefined ? {} : { status }),
  };
}
