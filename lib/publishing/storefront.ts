import type { Eventual } from "../base/eventual.ts";
import type { Site } from "./site.ts";

/** CommonMark to HTML in which a stranger's text can do no harm. */
export type Markdown = (text: string) => string;

/** What the storefront is asked: GET or HEAD of one of its paths. */
export interface StorefrontRequest {
  readonly site: Site;
  /** Decoded, `/animals/7`. */
  readonly path: string;
  /** After the question mark, undecoded. */
  readonly search: string;
  readonly headers: Headers;
  readonly head: boolean;
  /** `https://pets.shelter.org`: where the visitor is. */
  readonly origin: string;
}

/** Pages made of the project's animals; undefined: none of its paths. */
export interface Storefront {
  answer(request: StorefrontRequest): Eventual<Response> | undefined;
  /** The page, in the site's looks, for what is not there; undefined where the storefront is turned off. */
  notFound(request: StorefrontRequest): Eventual<Response> | undefined;
}
