/** What the host knows of a visitor's request. */
export interface VisitContext {
  /** Which project the host leads to. */
  readonly slug: string;
  /** The host leads to this deploy of it, live or not. */
  readonly deployId?: string;
  /** `https://brave-otter-1f2e.example.org`: what the visitor typed. */
  readonly origin: string;
  /** Address of a project by its slug: where a renamed one redirects to. */
  readonly addressOf: (slug: string) => string;
}
