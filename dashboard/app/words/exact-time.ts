import { language } from "./format.ts";

/** `21 Nov 2026, 14:32:07` */
export function exactTime(at: number): string {
  const style = { dateStyle: "medium", timeStyle: "medium" } as const;
  return new Intl.DateTimeFormat(language(), style).format(at);
}
