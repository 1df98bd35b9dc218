import { element } from "./element.ts";

type Fields = readonly (readonly [name: string, value: string])[];

/** The limits as an answer tells them; nothing where it tells none. `nowSeconds` is by our own clock. */
export function limitWords(headers: Fields, nowSeconds: number): readonly string[] {
  const read = (name: string): number | undefined => {
    const value = headers.find(([field]) => field.toLowerCase() === name)?.[1];
    return value === undefined || value === "" ? undefined : Number(value);
  };
  const [limit, remaining, reset, wait] = [
    read("x-ratelimit-limit"),
    read("x-ratelimit-remaining"),
    read("x-ratelimit-reset"),
    read("retry-after"),
  ];
  return [
    ...(limit === undefined || remaining === undefined
      ? []
      : [`${remaining} of ${limit} requests remain`]),
    ...(reset === undefined ? [] : [`full again in ${secondsWords(reset - nowSeconds)}`]),
    ...(wait === undefined ? [] : [`try again in ${secondsWords(wait)}`]),
  ];
}

/** A span of time, as exact as it is of use. */
export function secondsWords(seconds: number): string {
  if (seconds < 90) return `${Math.max(0, Math.ceil(seconds))} s`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 90) return `${minutes} min`;
  return `${Math.ceil(minutes / 60)} h`;
}

/** All headers, those of the limits first; closed until somebody wants to see them. */
export function headersView(headers: Fields): HTMLElement {
  const rows = headers
    .toSorted(([a], [b]) => rank(a) - rank(b) || a.localeCompare(b))
    .map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value)));
  return element(
    "details",
    { class: "sent" },
    element("summary", {}, `Headers (${headers.length})`),
    element("dl", {}, ...rows),
  );
}

/** Those that tell of the limits come first. */
function rank(name: string): number {
  return /^(x-)?ratelimit|^retry-after/i.test(name) ? 0 : 1;
}
