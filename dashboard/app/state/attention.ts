import { MINUTE_MS, systemClock } from "../../../lib/base/clock.ts";

let touchedAt = systemClock.now();

for (const sign of ["pointerdown", "keydown", "wheel"]) {
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
