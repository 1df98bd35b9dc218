import type { PetstoreOperations } from "../domains/operations.ts";
import { MAX_ID } from "../lib/base/id.ts";
import { readableMinute } from "../lib/base/readable.ts";
import { orderStatuses } from "../lib/index.ts";
import { Failure, must } from "../settings/failure.ts";
import { integer, oneOf } from "../settings/values.ts";
import {
  optional,
  optionalText,
  toggle,
  type Command,
  type Context,
  type Operand,
} from "./command.ts";
import { accountFlag, environmentFlag, given, placeOf } from "./fields.ts";
import { operation } from "./operation.ts";
import { confirm, writeTable, yesFlag } from "./output.ts";

const orderOperand: Operand = {
  placeholder: "ORDER",
  help: "Number of the order, as `orders list` shows it.",
};

const statusFlag = optional({
  name: "status",
  placeholder: "STATUS",
  help: `${orderStatuses.join(", ")}.`,
  parse: oneOf(orderStatuses),
});

const inCatalogue = { account: accountFlag, environment: environmentFlag };

type Order = PetstoreOperations["GET /accounts/:account/:environment/orders"]["output"][number];
type Adoption = PetstoreOperations["GET /accounts/:account/:environment/orders/:order"]["output"];

const ORDER = "/accounts/:account/:environment/orders/:order";

export const orderCommands: readonly Command[] = [
  operation({
    path: "orders list",
    summary: "List the orders of an account, newest first; an order is an adoption",
    flags: {
      ...inCatalogue,
      status: statusFlag,
      petId: optional({
        name: "pet",
        placeholder: "PET",
        help: "Only orders of the animal with this ID.",
        parse: integer({ min: 1, max: MAX_ID }),
      }),
    },
    examples: [
      "orders list --account acc_7Gk2mQ9xYt4B",
      "orders list --account acc_7Gk2mQ9xYt4B --status placed",
    ],
    call: async ({ all }, { flags: { account, environment, status, petId } }) =>
      must(
        await all("GET /accounts/:account/:environment/orders", {
          account,
          environment,
          query: given({ status, petId }),
        }),
      ),
    show: async (orders, { context }) => {
      if (orders.length > 0) await showOrders(orders, context);
      else context.terminal.err("No orders.\n");
    },
  }),
  operation({
    path: "orders set",
    summary: "Change the status of an order, or save who adopted the animal",
    details:
      "Without an option, the command only shows the order. Only the options that are given change. The adopter is for staff only, and is deleted after `adopters-keep`.",
    operands: { order: orderOperand },
    flags: {
      ...inCatalogue,
      status: statusFlag,
      name: optionalText("adopter", "NAME", "Name of the person who adopted the animal."),
      contact: optionalText("contact", "TEXT", "How to reach the person."),
      date: optionalText("date", "DATE", "Date of the adoption, such as 2026-11-20."),
      forget: toggle("no-adopter", "Remove the adopter."),
    },
    examples: [
      "orders set 7 --account acc_7Gk2mQ9xYt4B --status delivered",
      'orders set 7 --account acc_7Gk2mQ9xYt4B --adopter "Kim Petersen" --contact kim@example.com',
      "orders set 7 --account acc_7Gk2mQ9xYt4B --no-adopter",
    ],
    call: async (client, { flags, operands }) => {
      const { status, forget, name, contact, date } = flags;
      const at = { ...placeOf(flags), order: operands.order };
      const adopter = given({ name, contact, date });
      const changesAdopter = Object.keys(adopter).length > 0;
      if (forget && changesAdopter) {
        throw new Failure(
          "usage",
          "--no-adopter removes the adopter: leave out the other options.",
        );
      }
      const before = must(await client.call(`GET ${ORDER}`, at));
      if (status === undefined && !forget && !changesAdopter) return before;
      const body = {
        ...given({ status }),
        ...(forget ? { adopter: null } : {}),
        ...(changesAdopter ? { adopter: { ...before.adopter, ...adopter } } : {}),
      };
      return must(await client.call(`PATCH ${ORDER}`, { ...at, body }));
    },
    show: showAdoption,
  }),
  operation({
    path: "orders return",
    summary: "Record the return of an animal, which becomes available again",
    details: "The order stays, and says when the animal was returned.",
    operands: { order: orderOperand },
    flags: inCatalogue,
    examples: ["orders return 7 --account acc_7Gk2mQ9xYt4B"],
    call: async ({ call }, { flags, operands }) =>
      must(await call(`POST ${ORDER}/return`, { ...placeOf(flags), order: operands.order })),
    show: showAdoption,
  }),
  operation({
    path: "orders remove",
    summary: "Remove an order that was a mistake; the animal gets its previous status",
    details:
      "Removes the order and the adopter permanently. If the animal is still sold by this order, it gets the status that it had before.",
    operands: { order: orderOperand },
    flags: { ...inCatalogue, yes: yesFlag },
    examples: ["orders remove 7 --account acc_7Gk2mQ9xYt4B --yes"],
    call: async (client, { flags, operands, context }) => {
      const { order } = operands;
      const question = `Remove the order ${order} and its adopter permanently?`;
      await confirm(context.terminal, question, flags.yes);
      return must(await client.call(`DELETE ${ORDER}`, { ...placeOf(flags), order }));
    },
    json: () => ({ removed: true }),
    show: (_, { operands, context }) => {
      context.terminal.err(`Removed the order ${operands.order}.\n`);
    },
  }),
];

function showOrders(orders: readonly Order[], { terminal }: Context): Promise<void> {
  return writeTable(
    terminal,
    ["ORDER", "PET", "STATUS", "CREATED", "RETURNED"],
    orders.map(({ id, petId, status, createdAt, returnedAt }) => [
      String(id),
      String(petId),
      status,
      readableMinute(createdAt),
      returnedAt === undefined ? "" : readableMinute(returnedAt),
    ]),
  );
}

async function showAdoption(
  { adopter, ...order }: Adoption,
  { context }: { readonly context: Context },
): Promise<void> {
  await showOrders([order], context);
  if (adopter === undefined) return;
  const { name = "", contact = "", date = "" } = adopter;
  await writeTable(context.terminal, ["ADOPTER", "CONTACT", "DATE"], [[name, contact, date]]);
}
