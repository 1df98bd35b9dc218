/** What `GET /accounts/:account/:environment/limits` tells: what is used up of a catalogue's limits. */
export interface CatalogueLimits {
  readonly windows: readonly LimitWindow[];
  readonly keys: readonly KeyLimits[];
}

export interface LimitWindow {
  readonly name: "minute" | "day";
  readonly limit: number;
  readonly remaining: number;
  /** Null: nobody asked yet, so that the window has not begun. */
  readonly resetAt: number | null;
}

export interface KeyLimits {
  readonly id: string;
  /** Of the windows, by this key. */
  readonly used?: { readonly minute: number; readonly day: number };
  readonly ban: { readonly until: number; readonly level: number } | null;
}
