import type { Random } from "../base/id.ts";

const FIRST_MS = 500;
const LONGEST_MS = 30_000;

/** Returns how long to wait after failure number `failures` (from 1): a random time up to a bound that doubles ("full jitter"). */
export function backoffMs(failures: number, random: Random): number {
  const [high = 0, low = 0] = random(new Uint8Array(2));
  const fraction = (high * 256 + low) / 65_536;
  return Math.floor(fraction * Math.min(LONGEST_MS, FIRST_MS * 2 ** (failures - 1)));
}
