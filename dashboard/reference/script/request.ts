import type { Call } from "../model/call.ts";
import type { Place } from "../model/description.ts";

/** What was typed for a parameter. */
export interface Filled {
  readonly name: string;
  readonly in: Place;
  readonly value: string;
}

export interface Form {
  readonly method: string;
  /** With `{petId}`. */
  readonly path: string;
  /** Address of the API, `/v1` included. */
  readonly server: string;
  readonly fields: readonly Filled[];
  readonly body?: string;
}

/** The request that a form stands for. What was left empty is left out. */
export function callOf({ method, path, server, fields, body }: Form): Call {
  const given = fields.filter(({ value }) => value !== "");
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(
      given.find((field) => field.in === "path" && field.name === name)?.value ?? "",
    ),
  );
  const query = given
    .filter((field) => field.in === "query")
    // A list of ids is to be read as one.
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

/** Names of what the address cannot do without, and was left empty. */
export function missingIn({ path, fields }: Pick<Form, "path" | "fields">): readonly string[] {
  return Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = ""]) => name).filter(
    (name) =>
      !fields.some((field) => field.in === "path" && field.name === name && field.value !== ""),
  );
}

/** Why the body is no JSON, in the words of the browser; undefined when it is. */
export function faultOfJson(body: string): string | undefined {
  try {
    JSON.parse(body);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : "This is no JSON.";
  }
}
