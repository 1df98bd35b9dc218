/** What came of watching: where responses were made of headers that another response had been made of. */
export interface HeaderWatch {
  readonly shared: ReadonlySet<string>;
  /** How many responses were made. */
  readonly responses: () => number;
  [Symbol.dispose](): void;
}

/**
 * Watches every `Response` that is made from now on. A response must be made of headers of its own: where
 * @hono/node-server has replaced the global `Response`, the object is kept by reference, and what is written for one
 * client would reach another. Version 1 writes `Content-Length` into plain objects too.
 */
export function watchHeaders(): HeaderWatch {
  const native = globalThis.Response;
  const used = new WeakSet<object>();
  const shared = new Set<string>();
  let responses = 0;
  globalThis.Response = class Response extends native {
    constructor(body?: BodyInit | null, init?: ResponseInit) {
      super(body, init);
      responses++;
      const headers = init?.headers;
      if (headers === undefined) return;
      if (used.has(headers)) shared.add(`${this.status} ${new Error().stack?.split("\n")[2]}`);
      used.add(headers);
    }
  };
  return {
    shared,
    responses: () => responses,
    [Symbol.dispose]: () => {
      globalThis.Response = native;
    },
  };
}
