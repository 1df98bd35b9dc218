import { Script } from "../../lib/sql/script.ts";
import type { DomainChange } from "../ports/domain-change.ts";
import type { Under } from "../ports/domain-store.ts";
import {
  addDomain,
  forgetDomain,
  reportClock,
  restoreDomain,
  saveDomain,
} from "./domain-changes.ts";
import {
  addCertificate,
  blockKey,
  closeOrder,
  forgetAccount,
  openChallenge,
  openOrder,
  pauseAuthority,
  purge,
  retireAccount,
  saveAccount,
  saveOrder,
} from "./order-changes.ts";
import type { DomainScript } from "./script.ts";

// Comes first, and locks the row: whoever wants the lease next waits for this commit.
const STILL_LEASED = `UPDATE leases SET expires_at = ? WHERE name = ? AND fence = ? RETURNING fence`;

/** The changes of one commit as the steps of one batch. */
export function compile(changes: readonly DomainChange[], under?: Under): DomainScript {
  const script: DomainScript = new Script();
  if (under !== undefined) {
    const { lease, until } = under;
    script.demand(STILL_LEASED, [until, lease.name, lease.fence], "fenced");
  }
  for (const change of changes) addChange(script, change);
  return script;
}

function addChange(script: DomainScript, change: DomainChange): void {
  switch (change.kind) {
    case "domain.add":
      addDomain(script, change);
      return;
    case "domain.restore":
      restoreDomain(script, change);
      return;
    case "domain.save":
      saveDomain(script, change);
      return;
    case "domain.forget":
      forgetDomain(script, change);
      return;
    case "order.open":
      openOrder(script, change);
      return;
    case "order.save":
      saveOrder(script, change);
      return;
    case "order.close":
      closeOrder(script, change);
      return;
    case "challenge.open":
      openChallenge(script, change);
      return;
    case "certificate.add":
      addCertificate(script, change);
      return;
    case "account.save":
      saveAccount(script, change);
      return;
    case "account.forget":
      forgetAccount(script, change);
      return;
    case "account.retire":
      retireAccount(script, change);
      return;
    case "authority.pause":
      pauseAuthority(script, change);
      return;
    case "clock.report":
      reportClock(script, change);
      return;
    case "key.block":
      blockKey(script, change);
      return;
    case "purge":
      purge(script, change);
  }
}
