import { MINUTE_MS, systemClock } from "../../../lib/base/clock.ts";

let touchedAt = systemClock.now();

// A click or a word may come without a hand: from a reader of the screen, or by voice.
for (const sign of ["pointerdown", "keydown", "wheel", "click", "input"]) {
  window.addEventListener(
    sign,
    () => {
      touchedAt = systemClock.now();
    },
    { capture: true, passive: true },
  );
}

/** Whether somebody touched the page within five minutes, or opened it: what it asks otherwise, it asks by itself. */
export function isAttended(): boolean {
  return systemClock.now() < touchedAt + 5 * MINUTE_MS;
}
