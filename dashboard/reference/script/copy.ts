import { systemClock } from "../../../lib/base/clock.ts";

const SHOWN_MS = 1_500;

/** Copies, and says so on the button for a moment. Without HTTPS browsers let nobody copy: then it says that. */
export async function copy(text: string, button: HTMLButtonElement): Promise<void> {
  const label = button.dataset["label"] ?? button.textContent;
  button.dataset["label"] = label;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    button.textContent = "Cannot copy here";
  }
  await systemClock.sleep(SHOWN_MS);
  button.textContent = label;
}
