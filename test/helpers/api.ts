/** A response that was read to its end. */
export interface Reply<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body parsed as JSON; undefined if its media type is not JSON. The test asserts the type. */
  readonly body: Body;
}

/** Parts of a request other than method and path. */
export interface Extra {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** Sends requests to a service, in the same way in process and over HTTP. */
export interface Api {
  get<Body = unknown>(path: string, extra?: Extra): Promise<Reply<Body>>;
  /** `body` is sent as JSON. Without it the request has no body. */
  post<Body = unknown>(path: string, body?: unknown, extra?: Extra): Promise<Reply<Body>>;
  patch<Body = unknown>(path: string, body?: unknown, extra?: Extra): Promise<Reply<Body>>;
  delete<Body = unknown>(path: string, extra?: Extra): Promise<Reply<Body>>;
  /** Sends any request, valid or not. Adds only the key, unless one is given. */
  raw<Body = unknown>(method: string, path: string, init?: RequestInit): Promise<Reply<Body>>;
  /** Returns the same service with another key, or without one. */
  as(key: string | undefined): Api;
}

export interface ApiOptions {
  /** `petstore.fetch`; default: the network. */
  readonly fetch?: (request: Request) => Response | Promise<Response>;
  /** Scheme and host; paths begin with `/v1`. */
  readonly base?: string;
  readonly key?: string | undefined;
}

export function api({
  fetch = (request) => globalThis.fetch(request),
  base = "http://petstore.test",
  key,
}: ApiOptions): Api {
  const raw: Api["raw"] = async (method, path, init = {}) => {
    const headers = new Headers(init.headers);
    if (key !== undefined && !headers.has("authorization")) {
      headers.set("authorization", `Bearer ${key}`);
    }
    const request = new Request(`${base}${path}`, { ...init, method, headers, redirect: "manual" });
    const answer = await fetch(request);
    const text = await answer.text();
    const json = /[/+]json\b/.test(answer.headers.get("content-type") ?? "") && text !== "";
    return {
      status: answer.status,
      headers: answer.headers,
      text,
      body: json ? JSON.parse(text) : undefined,
    };
  };
  const send = <Body>(
    method: string,
    path: string,
    body: unknown,
    { headers = {}, signal }: Extra = {},
  ): Promise<Reply<Body>> =>
    raw<Body>(method, path, {
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
      headers: {
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
    });
  return {
    get: (path, extra) => send("GET", path, undefined, extra),
    post: (path, body, extra) => send("POST", path, body, extra),
    patch: (path, body, extra) => send("PATCH", path, body, extra),
    delete: (path, extra) => send("DELETE", path, undefined, extra),
    raw,
    as: (other) => api({ fetch, base, key: other }),
  };
}
