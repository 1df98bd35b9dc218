import type { StoredPet } from "../../catalogue/model.ts";
import {
  enquiryFields,
  type EnquiryAnswer,
  type EnquiryFaults,
  type EnquiryField,
  type TypedEnquiry,
} from "../enquiry-desk.ts";
import { document } from "./document.ts";
import { Markup, markup, type Part } from "./markup.ts";
import { paw } from "./placeholder.ts";
import type { Presentation } from "./presentation.ts";

/** The names of the fields in the form that is sent. The trap has one that browsers do not fill in. */
const NAMES = { consent: "consent", stamp: "stamp", trap: "extra" } as const;

/** An enquiry in which nothing was typed. */
export const untyped: Omit<TypedEnquiry, "stamp"> = {
  name: "",
  email: "",
  phone: "",
  message: "",
  consent: false,
  trap: "",
};

/** Reads a form as browsers send it (application/x-www-form-urlencoded). Absent fields are empty. */
export function readTyped(body: Uint8Array): TypedEnquiry {
  const sent = new URLSearchParams(new TextDecoder().decode(body));
  const text = (name: string): string => sent.get(name) ?? "";
  const [name = "", email = "", phone = "", message = ""] = enquiryFields.map(text);
  return {
    name,
    email,
    phone,
    message,
    consent: text(NAMES.consent) !== "",
    trap: text(NAMES.trap),
    stamp: text(NAMES.stamp),
  };
}

/** Returns the path of the form about an animal. */
export function enquiryPath(petId: number): string {
  return `/animals/${petId}/enquiry`;
}

/** The form to show: what was typed, and why it was not sent. */
interface ShownForm {
  readonly pet: Pick<StoredPet, "id" | "name">;
  readonly typed: TypedEnquiry;
  readonly answer?: Exclude<EnquiryAnswer, { readonly kind: "sent" }> | undefined;
  readonly keptDays: number;
}

/** Returns the page with the form. It has no script, and keeps what was typed. */
export function enquiryPage(presentation: Presentation, shown: ShownForm): string {
  const { language, title } = presentation;
  const { enquiry: words, number } = language;
  const { pet, typed, answer, keptDays } = shown;
  const faults = answer?.kind === "faulty" ? answer.faults : {};
  const field = (name: EnquiryField, attributes: string): Markup => {
    const fault = faults[name];
    const tied = attributesOf(name, fault);
    const value = typed[name];
    return markup`
      <p class="field"><label for="${name}">${words[name]}</label>${
        name === "message"
          ? // A browser drops the first line break.
            markup`<textarea id="${name}" name="${name}" rows="8" ${fixed(attributes)}${tied}>${`\n${value}`}</textarea>`
          : markup`<input id="${name}" name="${name}" value="${value}" ${fixed(attributes)}${tied} />`
      }${faultText(name, fault && words.faults[name][fault])}</p>
    `;
  };
  return document(presentation, {
    title: words.ask(pet.name),
    main: markup`
      <a class="back" href="/animals/${pet.id}">${words.back(pet.name)}</a>
      <h1>${words.ask(pet.name)}</h1><p class="intro" dir="auto">${words.intro(title)}</p>
      ${
        answer !== undefined && markup`<p class="alert" role="alert">${words[answer.kind]}</p>`
      }<form class="form" method="post" action="${enquiryPath(pet.id)}">
      ${field("name", 'autocomplete="name" maxlength="120" required')}
      ${field("email", 'type="email" autocomplete="email" maxlength="254" required')}
      ${field("phone", 'type="tel" autocomplete="tel" maxlength="40"')}
      ${field("message", 'maxlength="4000" required')}
      <p hidden><label for="${NAMES.trap}">${words.trap}</label>
      <input id="${NAMES.trap}" name="${NAMES.trap}" autocomplete="off" tabindex="-1" /></p>
      <p class="field"><label class="check" for="${NAMES.consent}">
      <input id="${NAMES.consent}" name="${NAMES.consent}" type="checkbox" value="yes" required${
        typed.consent && fixed(" checked")
      }${attributesOf(NAMES.consent, faults.consent)} />
      <span>${words.consent(title, number(keptDays))}</span></label>${faultText(
        NAMES.consent,
        faults.consent && words.faults.consent[faults.consent],
      )}</p>
      <input type="hidden" name="${NAMES.stamp}" value="${typed.stamp}" />
      <p class="actions"><button class="button solid">${words.send}</button></p></form>
    `,
  });
}

/** Returns the page after an enquiry was sent. */
export function sentPage(presentation: Presentation): string {
  const { words, enquiry } = presentation.language;
  return document(presentation, {
    title: enquiry.sentTitle,
    main: markup`
      <div class="empty t0">${paw()}<h1>${enquiry.sentTitle}</h1><p>${enquiry.sent}</p>
      <a class="button solid" href="/">${words.showAll}</a></div>
    `,
  });
}

/** Returns attributes that this file contains, so that they need no escapes. */
function fixed(attributes: string): Markup {
  return new Markup(attributes);
}

function attributesOf(name: keyof EnquiryFaults, fault: string | undefined): Part {
  return fault !== undefined && markup` aria-invalid="true" aria-describedby="${faultId(name)}"`;
}

function faultText(name: keyof EnquiryFaults, text: string | undefined): Part {
  return text !== undefined && markup`<span class="fault" id="${faultId(name)}">${text}</span>`;
}

function faultId(name: string): string {
  return `${name}-fault`;
}
