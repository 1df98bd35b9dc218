/** What is to be known of a host to show somebody the reference or the help there. */
export interface GuideHost {
  /** `https://pets.example.org`, as the visitor calls it. */
  readonly origin: string;
  /** Of the API, `/v1` included. */
  readonly production: string;
  readonly staging: string;
  /** What `/help` is below; empty where this very host has it. */
  readonly help: string;
  /** This host also has the dashboard. */
  readonly dashboard: boolean;
}
