import { hex } from "../../lib/base/digest.ts";
import { randomBase62, type Random } from "../../lib/base/id.ts";

const TARGET_BYTES = 16;

/** Generates an unguessable label: 128 random bits as 32 hexadecimal digits. */
export function newTargetLabel(random: Random): string {
  return hex(random(new Uint8Array(TARGET_BYTES)));
}

/** Returns the name that a CNAME should point to. */
export function targetName(label: string, cnameTarget: string): string {
  return `${label}.${cnameTarget}`;
}

/** Generates the value of an ownership record: 131 random bits. */
export function newOwnershipToken(random: Random): string {
  return randomBase62(random, 22);
}

export function newDomainId(random: Random): string {
  return `dom_${randomBase62(random, 12)}`;
}

export function newCertificateId(random: Random): string {
  return `crt_${randomBase62(random, 12)}`;
}
