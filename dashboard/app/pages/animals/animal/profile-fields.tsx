import type { JSX } from "preact";

import { systemClock } from "../../../../../lib/base/clock.ts";
import type { Category } from "../../../../../lib/catalogue/model.ts";
import {
  birthPrecisions,
  type LeafRule,
  type ProfileLeaf,
  profileLeaves,
} from "../../../../../lib/catalogue/model-profile.ts";
import { SelectField, TextField } from "../../../components/field.tsx";
import { Card } from "../../../components/page.tsx";
import { TextAreaField } from "../../../components/text-area.tsx";
import { mayChange } from "../../../state/me.ts";
import { animalsWords, animalWords } from "../../../words/late.tsx";
import { ageOf, type FormField, inPrecision, type PetField, precisionOf } from "./profile-form.ts";

/** The fields of the form, as texts. */
export interface FormFields {
  readonly textOf: (field: FormField) => string;
  readonly onInput: (field: FormField, text: string) => void;
  /** The service refused the value. */
  readonly isFaulty: (field: FormField) => boolean;
}

/** The fields of the animal itself. */
export function PetFieldsCard({
  form,
  categories,
}: {
  readonly form: FormFields;
  readonly categories: readonly Category[];
}): JSX.Element {
  const text = animalWords.words();
  const animals = animalsWords.words();
  const of = (field: PetField) => ({
    label: text.fields[field],
    fault: form.isFaulty(field) ? text.fault : undefined,
    value: form.textOf(field),
    onInput: (value: string) => form.onInput(field, value),
  });
  const inputs: Readonly<Record<PetField, JSX.Element>> = {
    name: <TextField key="name" {...of("name")} hint={animals.nameHint} required />,
    categoryId: (
      <SelectField
        key="categoryId"
        {...of("categoryId")}
        options={categories.map(({ id, name }) => ({ value: String(id), label: name }))}
      />
    ),
  };
  return (
    <Card title={text.basics}>
      <div class="form-grid">{Object.values(inputs)}</div>
    </Card>
  );
}

/** The profile: what visitors see, and what only staff see. */
export function ProfileCards({ form }: { readonly form: FormFields }): JSX.Element {
  const text = animalWords.words();
  const leaves = (...names: readonly ProfileLeaf[]): JSX.Element => (
    <div class="form-grid">
      {names.map((leaf) => (
        <LeafField key={leaf} leaf={leaf} form={form} />
      ))}
    </div>
  );
  return (
    <>
      <Card title={text.about}>
        <p class="soft">{text.aboutHint}</p>
        {leaves("sex", "neutered", "birth.precision", "birth.date")}
        {leaves("breed.text", "breed.mixed", "colour", "size")}
        {leaves("goodWith.children", "goodWith.dogs", "goodWith.cats", "fee")}
        <LeafField leaf="specialNeeds" form={form} />
        <LeafField leaf="text" form={form} />
      </Card>
      {/* Viewers do not get these values: empty fields would say that there are none. */}
      {mayChange.value && (
        <Card title={text.staff}>
          <p class="soft">{text.staffHint}</p>
          <LeafField leaf="microchip" form={form} />
          <LeafField leaf="staffNotes" form={form} />
        </Card>
      )}
      <Card title={text.record}>{leaves("intakeAt", "externalId", "source")}</Card>
    </>
  );
}

/** Lines that a text of several lines shows at first. */
const LINES: Readonly<Partial<Record<ProfileLeaf, number>>> = { specialNeeds: 2, text: 10 };

function LeafField({
  leaf,
  form,
}: {
  readonly leaf: ProfileLeaf;
  readonly form: FormFields;
}): JSX.Element {
  const text = animalWords.words();
  const rule: LeafRule = profileLeaves[leaf];
  const hints: Readonly<Partial<Record<ProfileLeaf, string>>> = text.hints;
  const hint = leaf === "birth.date" ? birthHint(form) : hints[leaf];
  const field = {
    label: text.fields[leaf],
    ...(hint === undefined ? {} : { hint }),
    fault: form.isFaulty(leaf) ? text.fault : undefined,
    value: form.textOf(leaf),
    onInput: (value: string) => form.onInput(leaf, value),
  };
  switch (rule.kind) {
    case "choice":
      return leaf === "birth.precision" ? (
        <PrecisionField form={form} label={field.label} />
      ) : (
        <SelectField
          {...field}
          options={[
            { value: "", label: text.notSet },
            ...rule.values.map((value) => ({ value, label: choiceLabel(leaf, value) })),
          ]}
        />
      );
    case "flag":
      return (
        <SelectField
          {...field}
          options={[
            { value: "", label: text.notSet },
            { value: "true", label: text.yes },
            { value: "false", label: text.no },
          ]}
        />
      );
    case "lines":
      return <TextAreaField {...field} rows={LINES[leaf] ?? 4} />;
    case "date":
      return precisionOf(form.textOf("birth.precision")) === "day" ? (
        <TextField {...field} type="date" />
      ) : (
        <TextField {...field} />
      );
    case "instant":
      return <TextField {...field} type="date" />;
    case "line":
      return <TextField {...field} />;
  }
}

/** The precision of the date of birth, which decides how the date is entered. */
function PrecisionField({
  form,
  label,
}: {
  readonly form: FormFields;
  readonly label: string;
}): JSX.Element {
  const { precisions } = animalWords.words();
  return (
    <SelectField
      label={label}
      value={precisionOf(form.textOf("birth.precision"))}
      options={birthPrecisions.map((value) => ({ value, label: precisions[value] }))}
      onInput={(precision) => {
        form.onInput("birth.date", inPrecision(form.textOf("birth.date"), precision));
        form.onInput("birth.precision", precision);
      }}
    />
  );
}

/** The age, or how to write the date. */
function birthHint(form: FormFields): string | undefined {
  const { age, hints } = animalWords.words();
  const known = ageOf(form.textOf("birth.date"), systemClock.now());
  if (known !== undefined) return age(known.unit, known.count);
  const precision = precisionOf(form.textOf("birth.precision"));
  return precision === "day" ? undefined : hints[precision];
}

/** Returns the words for a value of a choice. */
function choiceLabel(leaf: ProfileLeaf, value: string): string {
  const { sexes, sizes, answers } = animalWords.words();
  const labels: Readonly<Record<string, string>> =
    leaf === "sex" ? sexes : leaf === "size" ? sizes : answers;
  return labels[value] ?? value;
}
