import type { AccountState } from "../ports/authority.ts";
import { list, text, type Fields } from "./read-json.ts";

const MAX_CONTACTS = 20;

/** An account (RFC 8555 §7.1.2); undefined when it is not one. */
export function readAccount(found: Fields): AccountState | undefined {
  const { status } = found;
  if (status !== "valid" && status !== "deactivated" && status !== "revoked") return undefined;
  return {
    status,
    contact: list(found["contact"], MAX_CONTACTS).flatMap((one) => text(one) ?? []),
  };
}
