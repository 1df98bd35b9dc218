import type { Random } from "../../lib/base/id.ts";

/** A random number from 0 up to 1. */
export function fraction(random: Random): number {
  const [high = 0, low = 0] = random(new Uint8Array(2));
  return (high * 0x100 + low) / 0x1_0000;
}
