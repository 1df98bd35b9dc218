import { number, text } from "../../lib/sql/rows.ts";
import type { SqlRow } from "../../lib/sql/sql.ts";
import type { ChallengeKind, Domain } from "../model/domain.ts";
import type { OpenOrder } from "../model/order-state.ts";
import type { AuthorityPause } from "../model/authority-pause.ts";
import type { TimelineEntry, TimelineKind } from "../model/timeline.ts";
import type {
  OpenChallenge,
  ReplacedAccount,
  StoredAuthorityAccount,
  StoredCertificate,
  SuccessorAccount,
} from "../ports/domain-change.ts";

// Casts from rows to types are safe here: only this folder writes these tables, and each column list stands next to
// the function that reads it.

export const domainColumns = "domains.facts, domains.version, domains.seq";

export function domainOf(row: SqlRow): Domain {
  const facts = JSON.parse(text(row, "facts")) as Domain;
  return { ...facts, version: number(row, "version") };
}

export const orderColumns = "facts, version";

export function orderOf(row: SqlRow): OpenOrder {
  const facts = JSON.parse(text(row, "facts")) as OpenOrder;
  return { ...facts, version: number(row, "version") };
}

export const certificateColumns = "id, domain_id, chain, sealed_key, not_after, created_at";

export function certificateOf(row: SqlRow): StoredCertificate {
  return {
    id: text(row, "id"),
    domainId: text(row, "domain_id"),
    chainPem: text(row, "chain"),
    sealedKey: text(row, "sealed_key"),
    notAfter: number(row, "not_after"),
    createdAt: number(row, "created_at"),
  };
}

export const challengeColumns = "name, token, kind, key_authorization, expires_at";

export function challengeOf(row: SqlRow): OpenChallenge {
  return {
    name: text(row, "name"),
    token: text(row, "token"),
    kind: text(row, "kind") as ChallengeKind,
    keyAuthorization: text(row, "key_authorization"),
    expiresAt: number(row, "expires_at"),
  };
}

export const accountColumns = "authority, url, sealed_key, next_sealed_key, created_at";

export function accountOf(row: SqlRow): StoredAuthorityAccount {
  return {
    authority: text(row, "authority"),
    ...(row["url"] === null ? {} : { url: text(row, "url") }),
    sealedKey: text(row, "sealed_key"),
    ...(row["next_sealed_key"] === null ? {} : { nextSealedKey: text(row, "next_sealed_key") }),
    createdAt: number(row, "created_at"),
  };
}

export const replacedColumns = "authority, url, sealed_key, created_at, replaced_at";

export function replacedOf(row: SqlRow): ReplacedAccount {
  return {
    authority: text(row, "authority"),
    url: text(row, "url"),
    sealedKey: text(row, "sealed_key"),
    createdAt: number(row, "created_at"),
    replacedAt: number(row, "replaced_at"),
  };
}

export const successorColumns = "authority, replaces, url, sealed_key, created_at, switch_at";

export function successorOf(row: SqlRow): SuccessorAccount {
  return {
    authority: text(row, "authority"),
    replaces: text(row, "replaces"),
    ...(row["url"] === null ? {} : { url: text(row, "url") }),
    sealedKey: text(row, "sealed_key"),
    createdAt: number(row, "created_at"),
    ...(row["switch_at"] === null ? {} : { switchAt: number(row, "switch_at") }),
  };
}

export const pauseColumns =
  "authority, until, message, probed_at, probed_by, failures, help_url, help_at";

export function pauseOf(row: SqlRow): AuthorityPause {
  return {
    authority: text(row, "authority"),
    until: number(row, "until"),
    message: text(row, "message"),
    probedAt: number(row, "probed_at"),
    ...(row["probed_by"] === null ? {} : { probedBy: text(row, "probed_by") }),
    ...(number(row, "failures") === 0 ? {} : { failures: number(row, "failures") }),
    ...(row["help_url"] === null
      ? {}
      : { help: { url: text(row, "help_url"), at: number(row, "help_at") } }),
  };
}

export const timelineColumns = "at, kind, code, message";

export function entryOf(row: SqlRow): TimelineEntry {
  return {
    at: number(row, "at"),
    kind: text(row, "kind") as TimelineKind,
    ...(row["code"] === null ? {} : { code: text(row, "code") }),
    ...(row["message"] === null ? {} : { message: text(row, "message") }),
  };
}
