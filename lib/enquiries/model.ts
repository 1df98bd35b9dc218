import { countCodePoints } from "../base/code-points.ts";
import { DAY_MS } from "../base/clock.ts";
import { faultOfEmail, normalEmail } from "../model/email.ts";
import {
  faultOfCharacters,
  faultOfName,
  normalLines,
  normalText,
  trimText,
} from "../model/text.ts";
import type { Actor } from "../model/actor.ts";
import type { EnquiryFault, EnquiryFaults, TypedEnquiry } from "../publishing/enquiry-desk.ts";

/** The states of an enquiry, in the order in which it usually has them. */
export const enquiryStates = ["new", "answered", "closed"] as const;
/** The state of an enquiry. */
export type EnquiryState = (typeof enquiryStates)[number];

/** What a visitor sent, checked and normalized. Personal data. */
export interface EnquiryContent {
  /** 1 to 120 code points. */
  readonly name: string;
  readonly email: string;
  /** 1 to 40 code points. */
  readonly phone?: string;
  /** 1 to 4,000 code points, one or several lines. */
  readonly message: string;
}

/** An enquiry of a visitor about an animal. Instants are in milliseconds since the Unix epoch. */
export interface Enquiry extends EnquiryContent {
  /** Numbered per catalogue from 1, never reused. */
  readonly id: number;
  readonly catalogueId: number;
  readonly projectId: string;
  /** The title of the site at that time. */
  readonly site: string;
  /** The language of the site (BCP 47), in which the visitor expects an answer. */
  readonly language: string;
  readonly petId: number;
  /** The animal's name at that time. */
  readonly petName: string;
  readonly state: EnquiryState;
  /** Notes of the staff. */
  readonly notes?: string;
  /** Starts at 1 and increases by one with each change. */
  readonly version: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Who changed it last. Absent: nobody has, or only a later version knows that kind of actor. */
  readonly changedBy?: Actor;
}

/** Longest name and animal's name, in code points. */
export const MAX_NAME = 120;
export const MAX_PHONE = 40;
export const MAX_MESSAGE = 4_000;
export const MAX_NOTES = 4_000;
/** The most enquiries that a catalogue keeps, so that strangers cannot fill the disk: at most 100 MB. */
export const MAX_KEPT = 5_000;
/** The most enquiries of a site within 24 hours. */
export const MAX_PER_DAY = 100;
/** Default of how long enquiries are kept after they have arrived: a year. */
export const ENQUIRIES_KEEP_MS: number = 365 * DAY_MS;

/** Checks what a visitor typed. */
export function checkTyped(
  typed: TypedEnquiry,
): { readonly content: EnquiryContent } | { readonly faults: EnquiryFaults } {
  const { name, email, phone, message, consent } = typed;
  const faults: Partial<Record<keyof EnquiryFaults, EnquiryFault>> = {};
  const note = (field: keyof EnquiryFaults, text: string, fault: string | undefined): void => {
    if (trimText(text) === "") faults[field] = "missing";
    else if (fault !== undefined) faults[field] = "invalid";
  };
  note("name", name, faultOfName(name, MAX_NAME));
  note("email", email, faultOfEmail(email));
  if (trimText(phone) !== "") note("phone", phone, faultOfName(phone, MAX_PHONE));
  note("message", message, faultOfLines(message, MAX_MESSAGE));
  if (!consent) faults.consent = "missing";
  if (Object.keys(faults).length > 0) return { faults };
  return {
    content: {
      name: normalText(name),
      email: normalEmail(email),
      ...(trimText(phone) === "" ? {} : { phone: normalText(phone) }),
      message: normalLines(message),
    },
  };
}

/** Returns why a text of several lines cannot be stored; undefined if it can. */
export function faultOfLines(text: string, max: number): string | undefined {
  if (!text.isWellFormed()) return "must be well-formed Unicode, without lone surrogates";
  const tooLong = `must be at most ${max} characters long`;
  // NFC joins at most four code points.
  if (trimText(text).length > max * 8) return tooLong;
  const normal = normalLines(text);
  if (normal === "") return "must not be empty";
  if (countCodePoints(normal, max * 2) > max) return tooLong;
  return faultOfCharacters(normal, "lines");
}
