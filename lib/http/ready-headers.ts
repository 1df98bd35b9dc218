import type { LimitHeaders } from "./limit-headers.ts";

/**
 * Header fields that many responses share. Copying them whole costs a fraction of writing them one by one.
 * The shared `Headers` never leave this class: a `Response` may keep the `Headers` that it is made of by reference,
 * as that of @hono/node-server does, so each response gets a copy of its own.
 */
export class HeaderTemplate {
  protected readonly shared: Headers;

  constructor(fields: Readonly<Record<string, string>>) {
    this.shared = new Headers(fields);
  }

  has(name: string): boolean {
    return this.shared.has(name);
  }

  get(name: string): string | null {
    return this.shared.get(name);
  }

  /** Returns headers that belong to the caller. */
  copy(): Headers {
    return new Headers(this.shared);
  }
}

/** A template that also holds the rate-limit headers which stay the same until a window ends or the plan changes. */
export class ReadyHeaders extends HeaderTemplate {
  #limit = "";
  #reset = "";
  #policy = "";

  /** Returns headers that belong to the caller, for a response under these limits. */
  under({ limit, reset, policy }: LimitHeaders): Headers {
    if (limit !== this.#limit || reset !== this.#reset || policy !== this.#policy) {
      this.#limit = limit;
      this.#reset = reset;
      this.#policy = policy;
      this.shared.set("x-ratelimit-limit", limit);
      this.shared.set("x-ratelimit-reset", reset);
      this.shared.set("ratelimit-policy", policy);
    }
    return this.copy();
  }
}
