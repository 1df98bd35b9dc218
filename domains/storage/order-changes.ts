import type { DomainChange } from "../ports/domain-change.ts";
import type { DomainScript } from "./script.ts";

type Of<Kind extends DomainChange["kind"]> = Extract<DomainChange, { kind: Kind }>;

const OPEN_ORDER = `INSERT INTO domain_orders (name, id, facts, version) VALUES (?, ?, ?, ?)
  ON CONFLICT (name) DO NOTHING RETURNING id`;

export function openOrder(script: DomainScript, { order }: Of<"order.open">): void {
  const { name, id, version } = order;
  script.demand(OPEN_ORDER, [name, id, JSON.stringify(order), version], "exists");
}

const SAVE_ORDER = `UPDATE domain_orders SET facts = ?, version = version + 1
  WHERE name = ? AND id = ? AND version = ? RETURNING id`;

export function saveOrder(script: DomainScript, { from, to }: Of<"order.save">): void {
  script.demand(SAVE_ORDER, [JSON.stringify(to), from.name, from.id, from.version], "stale");
}

const CLOSE_ORDER = "DELETE FROM domain_orders WHERE name = ? AND id = ?";
const CLOSE_CHALLENGES = "DELETE FROM domain_challenges WHERE name = ?";

export function closeOrder(script: DomainScript, { order }: Of<"order.close">): void {
  script.add(CLOSE_ORDER, [order.name, order.id]);
  script.add(CLOSE_CHALLENGES, [order.name]);
}

const OPEN_CHALLENGE = `INSERT INTO domain_challenges (name, token, kind, key_authorization, expires_at)
  VALUES (?, ?, ?, ?, ?)`;

export function openChallenge(script: DomainScript, { challenge }: Of<"challenge.open">): void {
  const { name, token, kind, keyAuthorization, expiresAt } = challenge;
  script.add(CLOSE_CHALLENGES, [name]);
  script.add(OPEN_CHALLENGE, [name, token, kind, keyAuthorization, expiresAt]);
}

const ADD_CERTIFICATE = `INSERT INTO domain_certificates
    (id, domain_id, chain, sealed_key, not_after, created_at)
  VALUES (?, ?, ?, ?, ?, ?)`;
const FORGET_OTHERS = "DELETE FROM domain_certificates WHERE domain_id = ?";

export function addCertificate(script: DomainScript, { certificate }: Of<"certificate.add">): void {
  const { id, domainId, chainPem, sealedKey, notAfter, createdAt } = certificate;
  script.add(FORGET_OTHERS, [domainId]);
  script.add(ADD_CERTIFICATE, [id, domainId, chainPem, sealedKey, notAfter, createdAt]);
}

const SAVE_ACCOUNT = `INSERT INTO authority_accounts
    (authority, url, sealed_key, next_sealed_key, created_at)
  VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (authority) DO UPDATE SET url = excluded.url, sealed_key = excluded.sealed_key,
    next_sealed_key = excluded.next_sealed_key, created_at = excluded.created_at`;
const FORGET_ACCOUNT = "DELETE FROM authority_accounts WHERE authority = ? AND sealed_key = ?";

export function saveAccount(script: DomainScript, { account }: Of<"account.save">): void {
  const { authority, url = null, sealedKey, nextSealedKey = null, createdAt } = account;
  script.add(SAVE_ACCOUNT, [authority, url, sealedKey, nextSealedKey, createdAt]);
}

const RETIRE_ACCOUNT = `INSERT INTO replaced_accounts
    (authority, url, sealed_key, created_at, replaced_at)
  VALUES (?, ?, ?, ?, ?) ON CONFLICT (authority, url) DO NOTHING`;

export function retireAccount(script: DomainScript, { account }: Of<"account.retire">): void {
  const { authority, url, sealedKey, createdAt, replacedAt } = account;
  script.add(RETIRE_ACCOUNT, [authority, url, sealedKey, createdAt, replacedAt]);
}

export function forgetAccount(script: DomainScript, { account }: Of<"account.forget">): void {
  script.add(FORGET_ACCOUNT, [account.authority, account.sealedKey]);
}

const PAUSE_AUTHORITY = `INSERT INTO authority_pauses (authority, until, message) VALUES (?, ?, ?)
  ON CONFLICT (authority) DO UPDATE SET until = excluded.until, message = excluded.message
  WHERE excluded.until > authority_pauses.until`;

export function pauseAuthority(script: DomainScript, { pause }: Of<"authority.pause">): void {
  script.add(PAUSE_AUTHORITY, [pause.authority, pause.until, pause.message]);
}

const BLOCK_KEY = `INSERT INTO blocked_keys (fingerprint, blocked_at) VALUES (?, ?)
  ON CONFLICT (fingerprint) DO NOTHING`;

export function blockKey(script: DomainScript, { fingerprint, at }: Of<"key.block">): void {
  script.add(BLOCK_KEY, [fingerprint, at]);
}

const PURGE_CHALLENGES = `DELETE FROM domain_challenges WHERE (name, token) IN (
  SELECT name, token FROM domain_challenges WHERE expires_at < ? ORDER BY expires_at LIMIT ?
)`;
const PURGE_LEASES = `DELETE FROM leases WHERE name IN (
  SELECT name FROM leases WHERE expires_at < ? ORDER BY expires_at LIMIT ?
)`;

// Until every certificate that can have been ordered with it was replaced.
const PURGE_REPLACED = `DELETE FROM replaced_accounts WHERE replaced_at <= COALESCE(
  (SELECT MIN(created_at) FROM domain_certificates), ${Number.MAX_SAFE_INTEGER}
)`;

export function purge(script: DomainScript, { now, limit }: Of<"purge">): void {
  script.add(PURGE_CHALLENGES, [now, limit]);
  script.add(PURGE_LEASES, [now, limit]);
  script.add(PURGE_REPLACED, []);
}
