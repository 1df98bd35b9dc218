/** What the page has to know of the host that it is read on. */
export interface Place {
  /** Of the API, `/v1` included: as the reader of this host reaches it. */
  readonly production: string;
  readonly staging: string;
  /** What `/help` is below: empty where this very host has it. */
  readonly help: string;
  /** This host also has the dashboard. */
  readonly dashboard: boolean;
  /** Addresses of what the page is made of. */
  readonly style: string;
  readonly script: string;
  readonly paint: string;
  readonly icon: string;
}

/** Where the paragraph on a refusal is. */
export function errorAddress({ help }: Pick<Place, "help">, code: string): string {
  return `${help}/help/errors#${code}`;
}
