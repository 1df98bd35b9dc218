/** A defect that could be introduced by accident, and the tests that detect it. */
export interface Mutant {
  /** The wrong behavior. */
  readonly defect: string;
  readonly file: string;
  /** Occurs in the file exactly once. */
  readonly from: string;
  readonly to: string;
  /** Files or folders below test/, at least one of whose tests fails. */
  readonly tests: readonly string[];
}

const keyring = { file: "lib/accounts/keyring.ts", tests: ["lib/accounts/keyring.test.ts"] };
const ring = {
  file: "lib/accounts/credential-ring.ts",
  tests: ["lib/accounts"],
};
const trusted = { file: "lib/accounts/trusted-cache.ts", tests: ["lib/accounts"] };
const users = { file: "lib/accounts/host-users.ts", tests: ["lib/host-users.test.ts"] };
const tokenRing = {
  file: "lib/accounts/token-ring.ts",
  tests: ["lib/accounts/tokens.test.ts"],
};
const sessionRing = { file: "lib/members/session-ring.ts", tests: ["lib/members"] };
const presence = { file: "lib/members/presence.ts", tests: ["lib/members/presence.test.ts"] };
const limiter = { file: "lib/accounts/memory-limiter.ts", tests: ["lib/accounts"] };
const admission = { file: "lib/http/public.ts", tests: ["conformance/in-process.test.ts"] };
const isolation = ["lib/management/isolation.test.ts"];
const seal = { file: "domains/storage/seal.ts", tests: ["domains/storage/seal.test.ts"] };
const caa = { file: "domains/model/caa.ts", tests: ["domains/model/caa.test.ts"] };
const steps = ["pipeline", "verify", "failures", "crash"].map(
  (name) => `domains/pipeline/${name}.test.ts`,
);
const backups = { tests: ["backup/faults.test.ts", "backup/keys.test.ts"] };
const bucket = { file: "adapters/s3/fetch.ts", tests: ["adapters/s3.test.ts"] };
const handed = {
  file: "adapters/redis/handed-limits.ts",
  tests: ["adapters/handed-limits.test.ts"],
};

const relay = {
  file: "domains/tls/client-frames.ts",
  tests: ["domains/tls/relayed-heads.test.ts"],
};

/** Maintained by hand: a change to one of these lines must update its mutant, or remove it with a reason. */
export const mutants: readonly Mutant[] = [
  // API keys
  {
    ...ring,
    defect: "any secret of a known credential passes",
    from: `stored === undefined || !right ? refused(invalid)`,
    to: `stored === undefined ? refused(invalid)`,
  },
  {
    ...keyring,
    defect: "a revoked key passes",
    from: `if (key.revokedAt !== undefined) return refused({ ...revoked, key });`,
    to: ``,
  },
  {
    ...keyring,
    defect: "an expired key passes",
    from: `expiresAt !== undefined && expiresAt <= now`,
    to: `expiresAt !== undefined && expiresAt <= 0`,
    tests: ["conformance/in-process.test.ts"],
  },
  {
    ...keyring,
    defect: "a key of the other environment passes",
    from: `if (key.environment !== environment) return refused(invalid);`,
    to: ``,
  },
  {
    ...trusted,
    defect: "a cached holder is trusted for two seconds",
    from: `now < trueAt + TRUSTED_MS`,
    to: `now < trueAt + 2 * TRUSTED_MS`,
  },
  {
    ...trusted,
    defect: "what was read before a revocation is cached after it",
    from: `found.ok && begun === generation`,
    to: `found.ok && begun <= generation`,
  },
  {
    ...trusted,
    defect: "a load that began before a revocation is shared after it",
    from: `    loads.clear();\n`,
    to: ``,
  },
  {
    file: "lib/model/credential.ts",
    tests: ["lib/model/credential.test.ts"],
    defect: "a credential passes without its checksum",
    from: `base62(crc32(text.slice(0, -6))) === checksum`,
    to: `checksum !== undefined`,
  },
  {
    file: "lib/http/public.ts",
    tests: ["conformance/in-process.test.ts"],
    defect: "a key may do what its scopes do not allow",
    from: `scope !== undefined && !caller.scopes.includes(scope)`,
    to: `scope !== undefined && caller.scopes.length === 0`,
  },
  {
    file: "lib/http/public.ts",
    tests: ["conformance/in-process.test.ts"],
    defect: "a suspended account is served",
    from: `if (caller.account.suspendedAt !== undefined) {`,
    to: `if (caller.account.suspendedAt === 0) {`,
  },
  {
    ...admission,
    defect: "a key is served from a network that it is not bound to",
    from: `isInNetworks(address, allowedAddresses) ? undefined`,
    to: `address !== undefined || isInNetworks(address, allowedAddresses) ? undefined`,
  },
  // Users of a host
  {
    ...users,
    defect: "a user without an account acts in the default account",
    from: `if (name in principal && Reflect.get(principal, name) === undefined) {`,
    to: `if (name === "") {`,
  },
  {
    ...users,
    defect: "the limits of two accounts are one",
    from: "`user ${catalogueId} ${name}`",
    to: "`user ${name}`",
  },
  {
    ...users,
    file: "lib/http/writing.ts",
    defect: "two users share an idempotency key",
    from: "`user:${actor.id} ${key}`",
    to: "key",
  },
  {
    ...users,
    file: "lib/http/public.ts",
    defect: "a page of another site acts for a user",
    from: `if (isForged(exchange, stations.trustedOrigins)) return refuse(exchange, crossSite);`,
    to: ``,
  },
  {
    ...users,
    file: "lib/http/public.ts",
    defect: "a browser shows a user the animals of another account",
    from: "key === undefined ? `u${catalogueId.toString(36)}` : undefined",
    to: "undefined",
  },
  {
    ...users,
    file: "lib/http/public.ts",
    defect: "pages of any origin read what a login allows",
    from: `  exchange.style = stations.userStyle;
`,
    to: "",
  },
  {
    file: "lib/management/access.ts",
    tests: ["lib/management/host-users.test.ts"],
    defect: "a page of another site manages for a user",
    from: `if (isForged(exchange, stations.trustedOrigins)) return refuse(exchange, crossSite);`,
    to: ``,
  },
  {
    file: "lib/management/access.ts",
    tests: ["lib/management/host-users.test.ts"],
    defect: "a stream continues for another user",
    from: `again !== undefined && isSameUser(again, user) ? again : undefined`,
    to: `again`,
  },
  {
    file: "lib/accounts/principal.ts",
    tests: ["lib/management/host-users.test.ts"],
    defect: "an owner of no account owns all",
    from: `if ((role === "operator") !== (accountId === undefined)) {`,
    to: `if (role === "operator" && accountId !== undefined) {`,
  },
  // Management tokens, sessions, roles
  {
    ...tokenRing,
    defect: "a revoked token passes",
    from: `if (token.revokedAt !== undefined) return refused(revokedToken);`,
    to: ``,
  },
  {
    ...tokenRing,
    defect: "an expired token passes",
    from: `expiresAt !== undefined && expiresAt <= now`,
    to: `expiresAt !== undefined && expiresAt <= 0`,
  },
  {
    ...sessionRing,
    defect: "a session that ended passes",
    from: `if (!isAlive({ ...session, lastSeenAt: seenAt }, now)) return refused(invalidSession);`,
    to: ``,
  },
  {
    ...presence,
    defect: "a proof of one session counts for another",
    from: "utf8(`${at} ${id} ${sessionId}`)",
    to: "utf8(`${at} ${id}`)",
  },
  {
    ...presence,
    defect: "a proof never grows old",
    from: `isFresh(at, now) && equalTexts(`,
    to: `equalTexts(`,
  },
  {
    file: "lib/members/cookie.ts",
    tests: ["lib/members/cookie.test.ts"],
    defect: "of several session cookies only the first one is tried",
    from: `return [...found];`,
    to: `return [...found].slice(0, 1);`,
  },
  {
    file: "lib/http/exchange.ts",
    tests: ["lib/management/sign-in.test.ts"],
    defect: "a page of another site may change things",
    from: `if (site !== null) return site !== "same-origin";`,
    to: `if (site !== null) return site === "cross-site";`,
  },
  {
    file: "lib/accounts/principal.ts",
    tests: ["lib/management/roles.test.ts"],
    defect: "every role may do what the one above it may",
    from: `roles.indexOf(role) <= roles.indexOf(needed)`,
    to: `roles.indexOf(role) <= roles.indexOf(needed) + 1`,
  },
  {
    file: "lib/catalogue/routes/staff-pets.ts",
    tests: ["docs/management-guide.test.ts"],
    defect: "viewers may import animals",
    from: `"importAnimals",
    role: "staff"`,
    to: `"importAnimals",
    role: "viewer"`,
  },
  // Limits and bans
  {
    ...limiter,
    defect: "one request more than the minute allows is served",
    from: `minute.used >= limits.perMinute ||`,
    to: `minute.used > limits.perMinute ||`,
  },
  {
    ...limiter,
    defect: "one request more than the day allows is served",
    from: `|| day.used >= limits.perDay`,
    to: `|| day.used > limits.perDay`,
  },
  {
    ...limiter,
    defect: "a refund reaches a later window",
    from: `if (endOf(counter[which], which) === resetsAt) {`,
    to: `if (endOf(counter[which], which) >= resetsAt) {`,
  },
  {
    ...limiter,
    defect: "a refused request can be refunded",
    from: `if (counter === undefined || !allowed) return;`,
    to: `if (counter === undefined) return;`,
  },
  {
    file: "lib/model/window.ts",
    tests: ["lib/accounts", "lib/model/window.test.ts"],
    defect: "a window is still closed at its reset",
    from: `now >= endOf(window, name)) {`,
    to: `now > endOf(window, name)) {`,
  },
  {
    file: "lib/model/window.ts",
    tests: ["lib/accounts", "lib/model/window.test.ts"],
    defect: "Retry-After is a second too short",
    from: `Math.ceil((resetsAt - at) / SECOND_MS)`,
    to: `Math.floor((resetsAt - at) / SECOND_MS)`,
  },
  {
    file: "lib/accounts/violations.ts",
    tests: ["lib/accounts/violations.test.ts"],
    defect: "requests under way at the first 429 count towards a ban",
    from: `if (now - this.#firstRefusalAt <= GRACE_MS) return false;`,
    to: ``,
  },
  {
    file: "lib/accounts/bounded-names.ts",
    tests: ["lib/accounts/buckets.test.ts"],
    defect: "beyond the bound, further addresses are not bounded",
    from: `names.size < this.#most ? counter : kind`,
    to: `names.size >= this.#most ? counter : kind`,
  },
  {
    ...admission,
    defect: "a banned key is served",
    from: `if (bannedUntil !== undefined) return refuseBanned(exchange, holder, bannedUntil);`,
    to: ``,
  },
  {
    file: "lib/accounts/bans.ts",
    tests: ["lib/model/ban.test.ts"],
    defect: "every ban is as short as the first",
    from: `Math.min(levelAt(previous, now) + 1, lengthsMs.length)`,
    to: `Math.min(1, lengthsMs.length + levelAt(previous, now))`,
  },
  // Ownership
  {
    file: "lib/management/visibility.ts",
    tests: isolation,
    defect: "members see other accounts",
    from: `accountId === undefined || accountId === owner`,
    to: `accountId === undefined || owner !== ""`,
  },
  {
    file: "lib/management/visibility.ts",
    tests: isolation,
    defect: "members see other accounts' projects",
    from: `if (project === undefined || !maySee(principal, project.accountId)) return refused(noSuchProject);`,
    to: `if (project === undefined) return refused(noSuchProject);`,
  },
  {
    file: "lib/http/cursor.ts",
    tests: ["lib/http/cursor.test.ts"],
    defect: "a cursor opens another list",
    from: "digest.hmac(secret, utf8(list))",
    to: 'digest.hmac(secret, utf8(""))',
  },
  {
    file: "lib/http/public.ts",
    tests: ["lib/http/api.test.ts"],
    defect: "a remembered list is shown to another catalogue",
    from: '`${by}${at}${catalogueId} ${context.origin ?? ""}${request.url}`',
    to: '`${by}${at}${context.origin ?? ""}${request.url}`',
  },
  {
    file: "lib/storage/lists.ts",
    tests: ["conformance/in-process.test.ts"],
    defect: "lists hold the rows of every catalogue",
    from: `let where = "catalogue_id = ?";`,
    to: `let where = "catalogue_id >= 0 + 0 * ?";`,
  },
  // Secrets at rest
  {
    ...seal,
    defect: "a sealed secret opens in another row",
    from: `cipher.setAAD(Buffer.from(identity));
      const body = Buffer.concat([cipher`,
    to: `cipher.setAAD(Buffer.from(""));
      const body = Buffer.concat([cipher`,
  },
  {
    ...seal,
    defect: "two secrets are sealed with one nonce",
    from: `const nonce = random(new Uint8Array(NONCE_BYTES));`,
    to: `const nonce = new Uint8Array(NONCE_BYTES);`,
  },
  // CAA
  {
    ...caa,
    defect: "an unknown critical record is ignored",
    from: `if (unknownCritical) return`,
    to: `if (unknownCritical && tags.length === 0) return`,
  },
  {
    ...caa,
    defect: "a record for another issuer allows ours",
    from: `if (!identities.includes(issuer)) return "other_issuer";`,
    to: `if (issuer === "") return "other_issuer";`,
  },
  {
    ...caa,
    defect: "a record for another account allows ours",
    from: `if (account !== undefined && account !== accountUri) return "other_account";`,
    to: ``,
  },
  {
    ...caa,
    defect: "a record for another validation method allows ours",
    from: `return methods.filter((method) => permitted.includes(method));`,
    to: `return permitted.length > 0 ? methods : [];`,
  },
  {
    ...caa,
    defect: "issue decides for a wildcard that issuewild forbids",
    from: `return wild.length > 0 ? wild : ofTag("issue");`,
    to: `return wild.length > 1 ? wild : ofTag("issue");`,
  },
  {
    file: "domains/model/caa.ts",
    tests: ["domains/model", ...steps],
    defect: "a CAA lookup that failed allows an order",
    from: `return { kind: "unknown", silent: "dns" };`,
    to: `return evaluateCaa([], request);`,
  },
  // ACME orders
  {
    file: "domains/model/schedule.ts",
    tests: ["domains/pipeline", "domains/keeper"],
    defect: "an order is begun without a passing preflight",
    from: `kind: fresh ? "order" : "check", at: wanted`,
    to: `kind: fresh || !fresh ? "order" : "check", at: wanted`,
  },
  {
    file: "domains/pipeline/order.ts",
    tests: steps,
    defect: "the order's key is sealed to no row",
    from: "sealedKey: seal.close(await createPrivateKeyPem(), orderIdentity(id)),",
    to: 'sealedKey: seal.close(await createPrivateKeyPem(), orderIdentity("")),',
  },
  {
    file: "domains/pipeline/order.ts",
    tests: ["domains/pipeline/takeover.test.ts"],
    defect: "an order continues for an owner who lost the name",
    from: `if (open !== undefined && open.domainId !== work.domain.id) return "busy";`,
    to: ``,
  },
  {
    file: "domains/pipeline/order-steps.ts",
    tests: ["domains/pipeline/prove-steps.test.ts"],
    defect: "a proof made with a replaced account key is answered",
    from: `|| proof?.accountKey !== keyFingerprint(account.key)`,
    to: ``,
  },
  {
    file: "domains/pipeline/order-steps.ts",
    tests: ["domains/pipeline"],
    defect: "an order that is finalized already is taken for ours",
    from: `return restart("The order was finalized before.");`,
    to: `return moved({ state: { step: "proven", url }, authorizationUrls, finalizeUrl });`,
  },
  {
    file: "domains/storage/sql-leases.ts",
    tests: ["domains/storage", "domains/pipeline/race.test.ts"],
    defect: "a lease is given while another holds it",
    from: `expires_at <=`,
    to: `expires_at >= 0 * `,
  },
  // Kept pages, backups and buckets
  {
    file: "domains/tls/kept-responses.ts",
    tests: ["domains/tls/http1.test.ts"],
    defect: "a kept page is sent on a connection for another name",
    from: `known?.serverName !== serverName || draining()`,
    to: `known === undefined || draining()`,
  },
  {
    file: "server/listeners/https.ts",
    tests: ["cli/kept-pages.test.ts"],
    defect: "a kept page is sent after its domain moved to another account",
    from: ` && routeKey(domains, serverName) === before`,
    to: ``,
  },
  {
    ...backups,
    file: "backup/read.ts",
    defect: "a restored database is not compared with the tables of its manifest",
    from: `return differenceOf(manifest.tables, tables);`,
    to: `return tables === undefined ? differenceOf(manifest.tables, tables) : undefined;`,
  },
  {
    ...backups,
    file: "backup/read.ts",
    defect: "a restored database may reference blobs that the backup lacks",
    from: `blobs.length !== expected.size || blobs.some(`,
    to: `blobs.length === -1 && blobs.some(`,
  },
  {
    ...backups,
    file: "backup/container.ts",
    defect: "another manifest is read than the one that was signed",
    from: `text === undefined || end().sha256 !== sha256`,
    to: `text === undefined || end().sha256 === ""`,
  },
  {
    ...backups,
    file: "backup/container.ts",
    defect: "a file of a backup may have another content than its manifest says",
    from: `found.bytes !== expected.bytes || found.sha256 !== expected.sha256`,
    to: `found.bytes !== expected.bytes`,
  },
  {
    ...backups,
    file: "backup/keys.ts",
    defect: "backups are signed with a key that the installation's name reveals",
    from: `derive("petstore backups: manifests")`,
    to: `derive("petstore backups: installation")`,
  },
  {
    ...bucket,
    defect: "requests to a bucket do not sign what they send",
    from: `hex(await webDigest.sha256(body ?? new Uint8Array()))`,
    to: `"UNSIGNED-PAYLOAD"`,
  },
  {
    ...bucket,
    defect: "a bucket's redirect is followed to another server",
    from: `redirect: "manual"`,
    to: `redirect: "follow"`,
  },
  // Several nodes
  {
    file: "adapters/postgres/limits.sql",
    tests: ["postgres/limits.test.ts"],
    defect: "two nodes decide about one counter at the same time",
    from: `  PERFORM pg_advisory_xact_lock(1885697139, 2);`,
    to: ``,
  },
  {
    file: "adapters/redis/limits.lua",
    tests: ["redis/limits.test.ts"],
    defect: "a refund makes a counter in Redis last for ever",
    from: `, numbers, 'KEEPTTL')`,
    to: `, numbers)`,
  },
  {
    ...handed,
    defect: "a node that was paused counts in Redis after the others have left it",
    from: `repliedAt - this.#known.readRedisAt > READING_VALID_MS`,
    to: `repliedAt - this.#known.readRedisAt > Infinity`,
  },
  {
    ...handed,
    defect: "counts that the database did not take are forgotten",
    file: "adapters/redis/seen-counts.ts",
    from: `this.#seen = new Map([...reported, ...this.#seen]);`,
    to: ``,
  },
  {
    ...handed,
    defect: "counting moves to a Redis that has just come back",
    file: "adapters/redis/hand-over.ts",
    from: `observed.forMs >= STEADY_MS`,
    to: `observed.forMs >= 0`,
  },
  {
    file: "adapters/postgres/lanes.ts",
    tests: ["postgres/adapter.test.ts"],
    defect: "two nodes write to one catalogue at the same time",
    from: `SELECT pg_advisory_xact_lock(\${ofLane(lane).join(", ")});`,
    to: `SELECT \${ofLane(lane).join(", ")};`,
  },
  {
    file: "adapters/postgres/lanes.ts",
    tests: ["postgres/adapter.test.ts"],
    defect: "a commit in doubt is repeated",
    from: `return { kind: "unknown", failure };`,
    to: `return { kind: "failed", failure: cause };`,
  },
  // What strangers send
  {
    ...relay,
    defect: "trailers of any size are relayed",
    from: `if (malformed || bytes > maxHeaderBytes ||`,
    to: `if (malformed || bytes > maxHeaderBytes * 1000 ||`,
  },
  {
    ...relay,
    file: "domains/tls/hpack.ts",
    defect: "the table of fields changes its size within a block",
    from: `if (begun) throw undecodable("The table changes too late.");`,
    to: ``,
  },
  {
    file: "adapters/holdings/overload.ts",
    tests: ["domains/tls/unfinished.test.ts"],
    defect: "unfinished input is closed by its size, whatever its age",
    from: `one.unfinished * (1 + Math.max(0, now - one.since))`,
    to: `one.unfinished`,
  },
  {
    file: "adapters/holdings/holdings.ts",
    tests: ["cli/one-holding.test.ts"],
    defect: "memory is collected once a second only, however much was closed",
    from: `if (recent && left < COLLECT_BYTES) return;`,
    to: `if (recent) return;`,
  },
  {
    file: "adapters/http1/head.ts",
    tests: ["cli/http1.test.ts"],
    defect: "a request with a length and chunks is read",
    from: `(coding !== null || !LENGTH.test(length))`,
    to: `(!LENGTH.test(length))`,
  },
  {
    file: "adapters/http1/framing.ts",
    tests: ["cli/no-effect.test.ts"],
    defect: "a message is complete before its trailers",
    from: `reading = left === 0 ? "trailers" : "content";`,
    to: `if (left === 0) return framed("done");\n          reading = "content";`,
  },
  {
    file: "adapters/http1/ending.ts",
    tests: ["cli/http1.test.ts"],
    defect: "a server that stops waits for unsent bodies as long as ever",
    from: `(stopping() ? limits.stopDropMs : limits.dropMs)`,
    to: `limits.dropMs`,
  },
  {
    file: "domains/serving/routes.ts",
    tests: ["domains/keeper/routes.test.ts", "domains/actions/stays-live.test.ts"],
    defect: "a redirect leads to a target that is not live",
    from: `clock.now() < target.destinationUntil`,
    to: `clock.now() < Infinity`,
  },
  {
    file: "domains/acme/transport.ts",
    tests: ["domains/acme"],
    defect: "a CA can ask to wait for ever",
    from: `const MAX_WAIT_MS = 30 * DAY_MS;`,
    to: `const MAX_WAIT_MS = 30_000 * DAY_MS;`,
  },
  {
    file: "domains/acme/inspect.ts",
    tests: ["domains/acme/inspect.test.ts"],
    defect: "a chain is accepted whose certificates did not sign each other",
    from: `certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)`,
    to: `true`,
  },
  // Purging
  {
    file: "lib/base/store-clock.ts",
    tests: ["lib/base/store-clock.test.ts"],
    defect: "data is purged after the clock jumped",
    from: `if (remainingMs > 0) return { reason: "clock_jumped"`,
    to: `if (remainingMs > Infinity) return { reason: "clock_jumped"`,
  },
  // Durability
  {
    file: "lib/sql/sqlite.ts",
    tests: ["scenario/durability.test.ts"],
    defect: "a commit is acknowledged before it is on disk",
    from: `PRAGMA synchronous = FULL;`,
    to: `PRAGMA synchronous = NORMAL;`,
  },
  {
    file: "server/data/files.ts",
    tests: ["scenario/durability.test.ts"],
    defect: "a secret is used before its file is on disk",
    from: `await file.sync();`,
    to: ``,
  },
  {
    file: "server/data/files.ts",
    tests: ["scenario/durability.test.ts"],
    defect: "a secret is used before its name is on disk",
    from: `await syncDirectory(dirname(path));`,
    to: ``,
  },
  {
    file: "adapters/files/blobs.ts",
    tests: ["scenario/durability.test.ts"],
    defect: "a deploy is live before its files are on disk",
    from: `await handle.sync();`,
    to: ``,
  },
  // Durable Objects
  {
    file: "adapters/cloudflare/durable-object.ts",
    tests: ["adapters/durable-object.test.ts"],
    defect: "a store of an object does not notice the writes of another one",
    from: `if (seen === counter.count) return false;`,
    to: `if (seen <= counter.count) return false;`,
  },
  {
    file: "adapters/cloudflare/durable-object.ts",
    tests: ["adapters/durable-object.test.ts"],
    defect: "a batch that is refused is written",
    from: `throw new Error("A step was not accepted.");`,
    to: `return [];`,
  },
  {
    file: "adapters/cloudflare/jobs.ts",
    tests: ["adapters/durable-object-jobs.test.ts"],
    defect: "counters wait for a slow webhook",
    from: `if (running) saving ??= saveMeanwhile();`,
    to: `if (running) return;`,
  },
];
