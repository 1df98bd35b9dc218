import type { GuideHost } from "../../guides/host.ts";

/** What the page has to know of the host that it is read on, and of what it is made of. */
export interface Place extends GuideHost {
  /** Addresses. */
  readonly style: string;
  readonly script: string;
  readonly paint: string;
  readonly icon: string;
}

/** Where the paragraph on a refusal is. */
export function errorAddress({ help }: Pick<Place, "help">, code: string): string {
  return `${help}/help/errors#${code}`;
}
