import { readTime } from "../../../lib/base/clock.ts";
import { time } from "./format.ts";

const UTC = /\b(\d{4}-\d\d-\d\d) (\d\d:\d\d)(:\d\d)? UTC/g;

/** Instants in a text of the service, which are in UTC, as the clock of whoever reads it shows them. */
export function inLocalTime(text: string): string {
  return text.replaceAll(UTC, (told, day: string, minute: string, second: string = ":00") => {
    const at = readTime(`${day}T${minute}${second}Z`);
    return at === undefined ? told : time(at);
  });
}
