import { integerParameter as integer, textParameter as text } from "../http/parameters.ts";
import type { ManagementParameter } from "./endpoint.ts";

// These keep the untyped form for the endpoints of domains until those are declared with `endpoint`.
type Query = Readonly<Record<string, unknown>>;

export function integerParameter(
  name: string,
  ...rest: Parameters<typeof integer>
): ManagementParameter {
  return { name, ...integer(...rest) };
}

export function limitParameter(bounds: {
  readonly maximum: number;
  readonly fallback: number;
}): ManagementParameter {
  return integerParameter("limit", "At most so many.", { minimum: 1, ...bounds });
}

export function textParameter(name: string, ...rest: Parameters<typeof text>): ManagementParameter {
  return { name, ...text(...rest) };
}

export function numberIn(query: Query, name: string): number | undefined {
  const value = query[name];
  return typeof value === "number" ? value : undefined;
}

export function textIn(query: Query, name: string): string | undefined {
  const value = query[name];
  return typeof value === "string" ? value : undefined;
}
