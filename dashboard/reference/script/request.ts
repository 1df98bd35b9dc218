import type { Call } from "../model/call.ts";
import type { Place } from "../model/description.ts";

/** A parameter's input. */
export interface Filled {
  readonly name: string;
  readonly in: Place;
  readonly value: string;
}

export interface Form {
  readonly method: string;
  /** The path with placeholders: `/pets/{petId}`. */
  readonly path: string;
  /** Address of the API, including `/v1`. */
  readonly server: string;
  readonly fields: readonly Filled[];
  readonly body?: string;
}

/** Makes the request of a form. Omits empty fields. */
export function callOf({ method, path, server, fields, body }: Form): Call {
  const given = fields.filter(({ value }) => value !== "");
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(
      given.find((field) => field.in === "path" && field.name === name)?.value ?? "",
    ),
  );
  const query = given
    .filter((field) => field.in === "query")
    // Keeps lists of ids readable.
    .map(({ name, value }) => `${name}=${encodeURIComponent(value).replaceAll("%2C", ",")}`);
  const headers = given.filter((field) => field.in === "header");
  return {
    method,
    url: `${server}${filled}${query.length === 0 ? "" : `?${query.join("&")}`}`,
    ...(headers.length === 0
      ? {}
      : { headers: Object.fromEntries(headers.map(({ name, value }) => [name, value])) }),
    ...(body === undefined ? {} : { body }),
  };
}

/** Returns the names of empty path parameters. */
export function missingIn({ path, fields }: Pick<Form, "path" | "fields">): readonly string[] {
  return Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = ""]) => name).filter(
    (name) =>
      !fields.some((field) => field.in === "path" && field.name === name && field.value !== ""),
  );
}

/** Returns the browser's message about invalid JSON; undefined for valid JSON. */
export function faultOfJson(body: string): string | undefined {
  try {
    JSON.parse(body);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : "This is not JSON.";
  }
}

/** The outcome of a request. */
export type Outcome =
  | {
      readonly kind: "answered";
      readonly status: number;
      readonly headers: readonly (readonly [name: string, value: string])[];
      readonly text: string;
      /** The time until the whole body arrived. */
      readonly ms: number;
    }
  | { readonly kind: "cancelled" }
  /** No response, for a reason that the browser does not reveal. */
  | { readonly kind: "unreachable"; readonly ms: number }
  /** A header or the address contains invalid characters. */
  | { readonly kind: "unsendable" };

export interface SendOptions {
  /** A secret, used only in the request. */
  readonly key: string;
  readonly signal: AbortSignal;
  /** Monotonic time in milliseconds. */
  readonly now: () => number;
}

/** Sends without cookies, so that the user's session is not used. Never rejects. */
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
      // Show a 304 itself instead of the cached response.
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
