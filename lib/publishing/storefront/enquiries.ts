import type { Store } from "../../storage/store.ts";
import type { EnquiryAnswer, EnquiryDesk, EnquirySubject, TypedEnquiry } from "../enquiry-desk.ts";
import type { EnquiryRoute, PostedForm } from "../storefront.ts";
import { enquiryPage, enquiryPath, readTyped, sentPage, untyped } from "./enquiry-page.ts";
import type { Presentation } from "./presentation.ts";
import { isShown } from "./shown.ts";

const FORM = /^\/animals\/([1-9]\d{0,15})\/enquiry(\/sent)?$/;

/** Finds the page of a decoded path; undefined if it is not one of the form. */
export function enquiryRouteOf(path: string): EnquiryRoute | undefined {
  const [, id, sent] = FORM.exec(path) ?? [];
  const petId = Number(id);
  return id === undefined || !Number.isSafeInteger(petId)
    ? undefined
    : { petId, sent: sent !== undefined };
}

/** A page of the form, or the redirect after it was sent. `text` is absent for the 404 page. */
interface EnquiryMade {
  readonly status: 200 | 404 | 422 | 429 | 303;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Makes the pages of the enquiry form. They are never cached. */
export async function makeEnquiry(
  { store, desk }: { readonly store: Store; readonly desk: EnquiryDesk },
  presentation: Presentation,
  { petId, sent }: EnquiryRoute,
  posted: PostedForm | undefined,
): Promise<EnquiryMade> {
  if (sent) return { status: 200, text: sentPage(presentation) };
  const { site, shown, title, language, settings } = presentation;
  const { catalogueId } = site;
  const subject: EnquirySubject = { projectId: site.project.id, catalogueId, petId };
  const pet = await store.pets.byId(catalogueId, petId);
  const isOpen = pet !== undefined && isShown(shown, pet);
  const form = (
    status: 200 | 422 | 429,
    typed: TypedEnquiry,
    answer?: Exclude<EnquiryAnswer, { readonly kind: "sent" }>,
  ): EnquiryMade => {
    const name = pet?.name ?? `#${petId}`;
    const { keptDays } = desk;
    const text = enquiryPage(presentation, { pet: { id: petId, name }, typed, answer, keptDays });
    return { status, text };
  };
  if (posted === undefined) {
    if (!isOpen || pet.status === "sold") return { status: 404 };
    return form(200, { ...untyped, stamp: await desk.stamp(subject) });
  }
  const typed = readTyped(posted.body);
  // An animal may find a home while a visitor writes: what was written with its form is still taken.
  const { email } = settings.contact ?? {};
  const asked = { title, language: language.tag, email };
  const answer =
    isOpen || typed.stamp !== ""
      ? await desk.submit(subject, asked, typed, posted.address)
      : undefined;
  if (answer === undefined || (answer.kind === "again" && !isOpen)) return { status: 404 };
  switch (answer.kind) {
    case "sent":
      return { status: 303, headers: { location: `${enquiryPath(petId)}/sent` } };
    case "faulty":
      return form(422, typed, answer);
    case "again":
      return form(422, { ...typed, stamp: answer.stamp, trap: "" }, answer);
    case "refused": {
      const made = form(429, typed, answer);
      return { ...made, headers: { "retry-after": String(answer.retryAfterSeconds) } };
    }
  }
}
