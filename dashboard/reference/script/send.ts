import type { Call } from "../model/call.ts";

/** What became of a request. */
export type Outcome =
  | {
      readonly kind: "answered";
      readonly status: number;
      readonly headers: readonly (readonly [name: string, value: string])[];
      readonly text: string;
      /** Until the whole body was there. */
      readonly ms: number;
    }
  | { readonly kind: "cancelled" }
  /** No answer, and the browser tells nobody why. */
  | { readonly kind: "unreachable"; readonly ms: number }
  /** A header or the address has something in it that cannot be sent. */
  | { readonly kind: "unsendable" };

export interface SendOptions {
  /** A secret. It is in the request and nowhere else. */
  readonly key: string;
  readonly signal: AbortSignal;
  /** Milliseconds since whenever. */
  readonly now: () => number;
}

/** Sends without cookies: the session of whoever is signed in has no part in it. Never rejects. */
export async function send(
  { method, url, headers = {}, body }: Call,
  { key, signal, now }: SendOptions,
): Promise<Outcome> {
  const began = now();
  let request: Request;
  try {
    request = new Request(url, {
      method,
      headers: {
        ...headers,
        ...(key === "" ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body }),
      credentials: "omit",
      redirect: "error",
      referrerPolicy: "no-referrer",
      // What a 304 stands for is to be seen, not what the browser made of it.
      cache: "no-store",
      signal,
    });
  } catch {
    return { kind: "unsendable" };
  }
  try {
    const response = await fetch(request);
    const text = await response.text();
    return {
      kind: "answered",
      status: response.status,
      headers: [...response.headers],
      text,
      ms: now() - began,
    };
  } catch {
    return signal.aborted ? { kind: "cancelled" } : { kind: "unreachable", ms: now() - began };
  }
}
