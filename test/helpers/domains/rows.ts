import { servedUntil, type Domain } from "../../../domains/model/domain.ts";

export {
  adding,
  saving,
  someAccount,
  someDomain,
  someOrder,
  START,
} from "../../../testing/domains/rows.ts";

/** Returns true if handshakes with the name get its certificate. */
export function isServed(domain: Domain, now: number): boolean {
  return now < servedUntil(domain);
}
