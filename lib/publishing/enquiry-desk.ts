import type { Eventual } from "../base/eventual.ts";

/** The fields of an enquiry, as a visitor typed them. */
export const enquiryFields = ["name", "email", "phone", "message"] as const;
/** A field of an enquiry that visitors type. */
export type EnquiryField = (typeof enquiryFields)[number];

/** An enquiry as a visitor sent it. Nothing of it is checked yet. */
export interface TypedEnquiry extends Readonly<Record<EnquiryField, string>> {
  /** Whether the visitor agreed that the enquiry is stored. */
  readonly consent: boolean;
  /** What was typed into the field that people do not see. */
  readonly trap: string;
  /** The stamp of the form. */
  readonly stamp: string;
}

/** What an enquiry is about: an animal on a site. */
export interface EnquirySubject {
  readonly projectId: string;
  readonly catalogueId: number;
  readonly petId: number;
}

/** The site on which a visitor asks. */
export interface EnquirySite {
  readonly title: string;
  /** BCP 47. */
  readonly language: string;
  /** The site's email address, which receives a copy; undefined: it has none. */
  readonly email: string | undefined;
}

/** Why a field cannot be accepted. */
export type EnquiryFault = "missing" | "invalid";

/** The faults of an enquiry by field. */
export type EnquiryFaults = Partial<Readonly<Record<EnquiryField | "consent", EnquiryFault>>>;

/** The answer to an enquiry. Unless it was sent, the visitor gets the form again with everything that was typed. */
export type EnquiryAnswer =
  | { readonly kind: "sent" }
  | { readonly kind: "faulty"; readonly faults: EnquiryFaults }
  /** The form was sent too quickly or is too old, or a program filled it in. `stamp` is for the next attempt. */
  | { readonly kind: "again"; readonly stamp: string }
  /** The visitor or the site has sent too much. */
  | { readonly kind: "refused"; readonly retryAfterSeconds: number };

/** Takes enquiries of visitors. */
export interface EnquiryDesk {
  /** How many days enquiries are kept at most, for the text that visitors agree to. */
  readonly keptDays: number;
  /** Returns the stamp for a new form. */
  stamp(subject: EnquirySubject): Eventual<string>;
  /** Checks and stores an enquiry. Rejects with `StoreUnavailable`. */
  submit(
    subject: EnquirySubject,
    site: EnquirySite,
    typed: TypedEnquiry,
    /** IP address of the visitor, if the host knows it. */
    address: string | undefined,
  ): Promise<EnquiryAnswer>;
}
