import type { Tone } from "../../components/feedback.tsx";

/** Returns how a status looks. */
export function toneOf(status: number): Tone {
  if (status < 400) return "good";
  return status < 500 ? "warn" : "bad";
}
