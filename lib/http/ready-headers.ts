import type { LimitHeaders } from "./limit-headers.ts";

/**
 * Headers for one answer after another. A Response copies them whole for a fraction of what it costs to write
 * them one by one; so what the limits say until a window ends, or the plan changes, is kept among them.
 */
export class ReadyHeaders {
  readonly #headers: Headers;
  #limit = "";
  #reset = "";
  #policy = "";

  constructor(fields: Readonly<Record<string, string>>) {
    this.#headers = new Headers(fields);
  }

  /** For an answer under these limits: to be copied, not to be written into. */
  under({ limit, reset, policy }: LimitHeaders): Headers {
    if (limit !== this.#limit || reset !== this.#reset || policy !== this.#policy) {
      this.#limit = limit;
      this.#reset = reset;
      this.#policy = policy;
      this.#headers.set("x-ratelimit-limit", limit);
      this.#headers.set("x-ratelimit-reset", reset);
      this.#headers.set("ratelimit-policy", policy);
    }
    return this.#headers;
  }
}
