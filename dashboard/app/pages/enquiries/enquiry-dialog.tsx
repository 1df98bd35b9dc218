import { useSignal } from "@preact/signals";
import type { JSX } from "preact";

import { enquiryStates, type EnquiryState } from "../../../../lib/enquiries/model.ts";
import { call } from "../../api.ts";
import { ButtonLink } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Bones, Refusal } from "../../components/feedback.tsx";
import { bound, Field, SelectField } from "../../components/field.tsx";
import { FormDialog } from "../../components/form.tsx";
import { toast } from "../../components/toasts.tsx";
import { useResource } from "../../state/resource.ts";
import { relative } from "../../words/format.ts";
import { enquiriesWords } from "./words.ts";
import type { Where } from "../animals/catalogue.tsx";
import { ofEnquiry, type Enquiry } from "./enquiry-changes.ts";

interface EnquiryDialogProps {
  readonly where: Where;
  readonly id: string;
  readonly onSaved: (enquiry: Enquiry) => void;
  readonly onClose: () => void;
}

/** The dialog for one enquiry: what the visitor sent, and the state and notes of the staff. */
export function EnquiryDialog({ where, id, ...rest }: EnquiryDialogProps): JSX.Element {
  const { value, problem } = useResource(id, () =>
    call("GET /accounts/:account/:environment/enquiries/:enquiry", ofEnquiry(where, id)),
  );
  if (value !== undefined) return <OpenEnquiry where={where} enquiry={value} {...rest} />;
  return (
    <Dialog title={enquiriesWords.words().title} onClose={rest.onClose}>
      <Refusal problem={problem} />
      {problem === undefined && <Bones lines={4} />}
    </Dialog>
  );
}

const MAX_NOTES = 4_000;

function OpenEnquiry({
  where,
  enquiry,
  onSaved,
  onClose,
}: Omit<EnquiryDialogProps, "id"> & { readonly enquiry: Enquiry }): JSX.Element {
  const state = useSignal<EnquiryState>(enquiry.state);
  const notes = useSignal(enquiry.notes ?? "");
  const words = enquiriesWords.words();
  const { name, email, phone, message, petName, site, changedBy, updatedAt } = enquiry;
  const subject = encodeURIComponent(words.subject(petName));
  return (
    <FormDialog
      title={words.heading(name)}
      wide
      action={words.save}
      send={() =>
        call("PATCH /accounts/:account/:environment/enquiries/:enquiry", {
          ...ofEnquiry(where, enquiry.id),
          body: { state: state.value, notes: notes.value },
        })
      }
      onDone={(saved) => {
        onSaved(saved);
        toast(words.saved(name));
        onClose();
      }}
      onClose={onClose}
    >
      <p class="soft">{words.aboutAnimal(petName, site)}</p>
      <dl class="facts">
        <div>
          <dt>{words.message}</dt>
          <dd class="as-typed">{message}</dd>
        </div>
        <div>
          <dt>{words.email}</dt>
          <dd>{email}</dd>
        </div>
        {phone !== undefined && (
          <div>
            <dt>{words.phone}</dt>
            <dd>{phone}</dd>
          </div>
        )}
      </dl>
      <p>
        <ButtonLink href={`mailto:${encodeURIComponent(email)}?subject=${subject}`}>
          {words.reply}
        </ButtonLink>
      </p>
      <SelectField
        label={words.state}
        options={enquiryStates.map((value) => ({ value, label: words.states[value] }))}
        {...bound(state)}
      />
      <Field label={words.notes} hint={words.notesHint}>
        {(tied) => (
          <textarea
            class="input"
            rows={3}
            maxLength={MAX_NOTES}
            {...tied}
            value={notes.value}
            onInput={(event) => {
              notes.value = event.currentTarget.value;
            }}
          />
        )}
      </Field>
      {changedBy !== undefined && (
        <p class="soft small">
          {words.changedBy(changedBy.name ?? words.unnamed[changedBy.kind], relative(updatedAt))}
        </p>
      )}
    </FormDialog>
  );
}
