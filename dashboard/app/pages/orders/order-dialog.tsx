import { useSignal } from "@preact/signals";
import type { JSX } from "preact";

import { trimText } from "../../../../lib/model/text.ts";
import { call } from "../../api.ts";
import { Dialog } from "../../components/dialog.tsx";
import { Bones, Refusal } from "../../components/feedback.tsx";
import { bound, TextField } from "../../components/field.tsx";
import { FormDialog } from "../../components/form.tsx";
import { toast } from "../../components/toasts.tsx";
import { useResource } from "../../state/resource.ts";
import { ordersWords } from "./words.ts";
import type { Where } from "../animals/catalogue.tsx";
import { ofOrder, type Adoption, type Order } from "./order-changes.ts";

interface OrderDialogProps {
  readonly where: Where;
  readonly id: string;
  readonly nameOf: (petId: number) => string;
  readonly onSaved: (order: Order) => void;
  readonly onClose: () => void;
}

/** The dialog for one adoption: who adopted the animal. */
export function OrderDialog({ where, id, ...rest }: OrderDialogProps): JSX.Element {
  const { value, problem } = useResource(id, () =>
    call("GET /accounts/:account/:environment/orders/:order", ofOrder(where, id)),
  );
  if (value !== undefined) return <EditAdopter where={where} adoption={value} {...rest} />;
  return (
    <Dialog title={ordersWords.words().title} onClose={rest.onClose}>
      <Refusal problem={problem} />
      {problem === undefined && <Bones lines={3} />}
    </Dialog>
  );
}

function EditAdopter({
  where,
  adoption: { id, petId, adopter = {} },
  nameOf,
  onSaved,
  onClose,
}: Omit<OrderDialogProps, "id"> & { readonly adoption: Adoption }): JSX.Element {
  const name = useSignal(adopter.name ?? "");
  const contact = useSignal(adopter.contact ?? "");
  const day = useSignal(adopter.date ?? "");
  const orders = ordersWords.words();
  const given = {
    ...(trimText(name.value) === "" ? {} : { name: name.value }),
    ...(trimText(contact.value) === "" ? {} : { contact: contact.value }),
    ...(day.value === "" ? {} : { date: day.value }),
  };
  return (
    <FormDialog
      title={orders.editTitle(nameOf(petId))}
      action={orders.save}
      send={() =>
        call("PATCH /accounts/:account/:environment/orders/:order", {
          ...ofOrder(where, id),
          body: { adopter: Object.keys(given).length === 0 ? null : given },
        })
      }
      onDone={(saved) => {
        onSaved(saved);
        toast(orders.saved(nameOf(petId)));
        onClose();
      }}
      onClose={onClose}
    >
      <TextField label={orders.adopterName} maxLength={120} {...bound(name)} />
      <TextField
        label={orders.adopterContact}
        hint={orders.adopterContactHint}
        maxLength={300}
        {...bound(contact)}
      />
      <TextField label={orders.adopterDate} type="date" {...bound(day)} />
      <p class="soft small">{orders.adopterKept}</p>
    </FormDialog>
  );
}
