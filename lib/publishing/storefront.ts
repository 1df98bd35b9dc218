import type { Eventual } from "../base/eventual.ts";
import type { Site } from "./site.ts";

/** Renders untrusted CommonMark as safe HTML. */
export type Markdown = (text: string) => Eventual<string>;

/** A GET or HEAD request to the storefront. */
export interface StorefrontRequest {
  readonly site: Site;
  /** Decoded path: `/animals/7`. */
  readonly path: string;
  /** The undecoded query without `?`. */
  readonly search: string;
  readonly headers: Headers;
  readonly head: boolean;
  /** The visitor's origin: `https://pets.shelter.org`. */
  readonly origin: string;
}

/** A page of the enquiry form. */
export interface EnquiryRoute {
  readonly petId: number;
  readonly sent: boolean;
}

/** The body and the sender of a form. */
export interface PostedForm {
  readonly body: Uint8Array;
  readonly address: string | undefined;
}

/** Serves pages made from the project's animals. */
export interface Storefront {
  /** Returns undefined for a path that is not the storefront's. */
  answer(request: StorefrontRequest): Eventual<Response> | undefined;
  /** Whether the site has an enquiry form. Absent: it has none. */
  takesEnquiries?(site: Site): boolean;
  /** Returns a page of the enquiry form; undefined if the site has none. `posted` is a form that was sent. */
  enquiry?(
    request: StorefrontRequest,
    route: EnquiryRoute,
    posted?: PostedForm,
  ): Promise<Response> | undefined;
  /** Returns the 404 page in the site's theme; undefined if the storefront is turned off. */
  notFound(request: StorefrontRequest): Eventual<Response> | undefined;
}
