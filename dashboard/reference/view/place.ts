import type { GuideHost } from "../../guides/guides.ts";

/** The host and the assets of the page. */
export interface Place extends GuideHost {
  /** Addresses. */
  readonly style: string;
  readonly script: string;
  readonly paint: string;
  readonly icon: string;
  /** The page that describes the headers. Default: the same page. */
  readonly details?: string;
  /** The script that the search field loads. */
  readonly search: string;
}

/** The address of an error code's explanation. */
export function errorAddress({ help }: Pick<Place, "help">, code: string): string {
  return `${help}/help/errors#${code}`;
}
