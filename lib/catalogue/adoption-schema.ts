import { named, nullable, object, oneOf, type Schema } from "../base/schema.ts";
import { fields, shape, text } from "../base/shape.ts";
import { dateSchema } from "../model/date-schema.ts";
import { nameSchema } from "../model/name-schema.ts";
import { orderStatuses, type Adopter, type OrderStatus } from "./model.ts";
import { order, returned, soldAt } from "./schema.ts";

const MAX_ADOPTER_NAME = 120;
const MAX_ADOPTER_CONTACT = 300;

const adopter = {
  name: nameSchema(MAX_ADOPTER_NAME, { examples: ["Kim Petersen"] }),
  contact: nameSchema(MAX_ADOPTER_CONTACT, {
    description: "How to reach the person.",
    examples: ["kim@example.com, +44 20 7946 0018"],
  }),
  date: dateSchema({
    description: "The date of the adoption by the calendar.",
    examples: ["2026-11-20"],
  }),
};

/** The body that changes an order. An absent member stays as it is; an adopter replaces the one before. */
export const OrderPatchSchema: Schema<{
  readonly status?: OrderStatus | undefined;
  readonly adopter?: Adopter | null | undefined;
}> & { readonly name: string } = named(
  "OrderPatch",
  object(
    {},
    {
      status: oneOf(orderStatuses, { description: "Any of the three, in any order." }),
      adopter: nullable(object({}, adopter)),
    },
  ),
);

/** An order with its adopter. */
export const adoptionShape = shape(
  "Adoption",
  { ...order, ...soldAt },
  {
    ...returned,
    adopter: fields(
      {},
      {
        name: text("The person's name."),
        contact: text("How to reach the person."),
        date: text("The date of the adoption by the calendar.", { format: "date" }),
      },
      { description: "Personal data. Absent: not saved, or deleted after the retention time." },
    ),
  },
);
