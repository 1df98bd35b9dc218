import type { Signal } from "@preact/signals";
import type { JSX } from "preact";

import { trimText } from "../../../../lib/model/text.ts";
import type { SiteView } from "../../../../lib/publishing/shapes/site.ts";
import { palettesOf } from "../../../../lib/publishing/storefront/palette.ts";
import { Field, TextField, type TextFieldProps } from "../../components/field.tsx";
import { siteWords } from "./site-words.ts";

/** The file whose settings win over those of the project. */
export const SITE_FILE = "petstore.site.json";

export type FieldName = SiteView["deployWins"][number];

/** What the form contains: every setting, empty if it was never made. */
export type Draft = Readonly<Record<FieldName, string>>;

/** What every field of the form needs. */
export interface Shared {
  readonly site: SiteView;
  readonly draft: Signal<Draft>;
  /** The fields that the service refused. */
  readonly faults: Signal<ReadonlySet<string>>;
}

export function draftOf(settings: SiteView["settings"]): Draft {
  const { language = "", title = "", heading = "", intro = "", contactName = "" } = settings;
  const { email = "", phone = "", address = "", hours = "", website = "" } = settings;
  const { donate = "", visit = "", enquiries = "", logo = "", accent = "", scheme = "" } = settings;
  return {
    language,
    title,
    heading,
    intro,
    contactName,
    email,
    phone,
    address,
    hours,
    website,
    donate,
    visit,
    enquiries,
    logo,
    accent,
    scheme,
  };
}

/** Returns the settings that differ, null for those that were removed. */
export function changeBetween(
  settings: SiteView["settings"],
  draft: Draft,
): Readonly<Record<string, string | null>> {
  const before = draftOf(settings);
  const names = namesOf(draft).filter((name) => trimText(draft[name]) !== before[name]);
  return Object.fromEntries(names.map((name) => [name, trimText(draft[name]) || null]));
}

/** Returns what visitors would see: what the deploy decides, else what the form contains. */
export function shownIn({ shown, deployWins }: SiteView, draft: Draft): Draft {
  const visible = draftOf(shown);
  const entries = namesOf(draft).map((name) => [
    name,
    deployWins.includes(name) ? visible[name] : draft[name],
  ]);
  // The names are those of a draft.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.fromEntries(entries) as Draft;
}

function namesOf(draft: Draft): readonly FieldName[] {
  // `draftOf` names every field.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.keys(draft) as FieldName[];
}

type LabelledName = Exclude<FieldName, "language" | "enquiries" | "scheme">;

interface FieldOf extends Shared {
  readonly name: LabelledName;
  /** The most characters. */
  readonly max: number;
  readonly hint?: string;
}

/** Returns the parts of a field that follow from its name. */
export function partsOf({ site, draft, faults, name, hint }: Omit<FieldOf, "max">) {
  const text = siteWords.words();
  const wins = site.deployWins.includes(name);
  const shownHint = wins ? text.wins(SITE_FILE, site.shown[name] ?? "") : hint;
  return {
    label: text[name],
    ...(shownHint === undefined ? {} : { hint: shownHint }),
    fault: faults.value.has(name) ? text.faults[name] : undefined,
    value: draft.value[name],
    onInput: (value: string): void => {
      draft.value = { ...draft.value, [name]: value };
      if (faults.value.has(name)) {
        faults.value = new Set([...faults.value].filter((one) => one !== name));
      }
    },
  };
}

export function OneLineField({
  max,
  type = "text",
  literal = false,
  ...field
}: FieldOf & Pick<TextFieldProps, "type" | "literal">): JSX.Element {
  return <TextField {...partsOf(field)} type={type} literal={literal} maxLength={max} />;
}

export function LinesField({
  max,
  few = false,
  ...field
}: FieldOf & { readonly few?: boolean }): JSX.Element {
  const { value, onInput, ...parts } = partsOf(field);
  return (
    <Field {...parts}>
      {(tied) => (
        <textarea
          class={few ? "input few-lines" : "input"}
          {...tied}
          value={value}
          maxLength={max}
          onInput={(event) => {
            onInput(event.currentTarget.value);
          }}
        />
      )}
    </Field>
  );
}

const COLOUR = /^#[0-9a-f]{6}$/;
/** The storefront's accent, shown while none is chosen. */
const OWN = "#b04a26";

/** The accent, with a note on its contrast, which the storefront adjusts. */
export function AccentField(shared: Shared): JSX.Element {
  const text = siteWords.words();
  const { value, onInput, ...parts } = partsOf({
    ...shared,
    name: "accent",
    hint: text.accentHint,
  });
  const type = (given: string): void => onInput(given.trim().toLowerCase());
  return (
    <div class="stack tight">
      <Field {...parts}>
        {(tied) => (
          <div class="colour">
            <input
              type="color"
              aria-label={text.pick}
              value={COLOUR.test(value) ? value : OWN}
              onInput={(event) => type(event.currentTarget.value)}
            />
            <input
              class="input mono"
              {...tied}
              value={value}
              placeholder={OWN}
              maxLength={7}
              spellcheck={false}
              autocomplete="off"
              onInput={(event) => type(event.currentTarget.value)}
            />
          </div>
        )}
      </Field>
      <p class="soft small" role="status">
        {COLOUR.test(value) && contrastNote(value, shared.draft.value.scheme)}
      </p>
    </div>
  );
}

function contrastNote(accent: string, scheme: string): string {
  const text = siteWords.words();
  const { light, dark } = palettesOf(accent);
  const byDay = light["--accent"] ?? accent;
  const byNight = dark["--accent"] ?? accent;
  const notes = [
    scheme !== "dark" && byDay !== accent ? text.adjustedDark(byDay) : undefined,
    scheme !== "light" && byNight !== accent ? text.adjustedLight(byNight) : undefined,
  ].filter((note) => note !== undefined);
  return notes.length === 0 ? text.readable : notes.join(" ");
}
