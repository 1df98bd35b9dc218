import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:https";

import { nodeHandler } from "../../../adapters/hosts/node.ts";
import { createInternalRoot, internalAuthority } from "../../../domains/acme/internal-ca.ts";
import { createPrivateKeyPem } from "../../../domains/acme/keys.ts";
import { createCsr } from "../../../domains/acme/x509.ts";
import type { CertificateAuthority } from "../../../domains/ports/authority.ts";
import { DAY_MS, isoTime, type Clock } from "../../../lib/base/clock.ts";
import { systemRandom } from "../../../lib/base/id.ts";
import { fieldsOf, readSigned, Refusal, textOf, type AccountKey } from "./acme-requests.ts";

/** A CA that issues by ACME (RFC 8555), for names that prove themselves by `http-01`. It lives in memory. */
export interface SandboxAuthority {
  /** Address of its directory. */
  readonly directoryUrl: string;
  /** The root that signs all certificates, its own included: PEM. */
  readonly root: string;
  close(): Promise<void>;
}

export interface SandboxAuthorityOptions {
  readonly clock: Clock;
  /** Returns what the name answers over plain HTTP at a path; undefined if it cannot be reached. */
  readonly visit: (name: string, path: string) => Promise<string | undefined>;
}

/** The CA's name in CAA records. */
export const CAA_IDENTITY = "ca.localhost";

const ADDRESS = "127.0.0.1";
const NAME = "localhost";
const LIFETIME_MS = 30 * DAY_MS;
/** The most orders, accounts and nonces that it remembers. */
const MOST = 1_000;

interface Order {
  readonly id: string;
  readonly names: readonly string[];
  readonly thumbprint: string;
  readonly tokens: ReadonlyMap<string, string>;
  readonly proven: Map<string, "valid" | "invalid">;
  certificate?: string;
}

/** Starts the CA on a free port of the loopback interface. */
export async function startAuthority({
  clock,
  visit,
}: SandboxAuthorityOptions): Promise<SandboxAuthority> {
  const root = await createInternalRoot(clock.now(), systemRandom);
  const issuer = internalAuthority({ root, clock, random: systemRandom, lifetimeMs: LIFETIME_MS });
  const leafOf = issuing(issuer, root.key);
  const issue = async (names: readonly string[], csr: Uint8Array): Promise<string> =>
    (await leafOf(names, csr)) + root.certificate;
  const ownKey = await createPrivateKeyPem();
  const ownChain = await issue([NAME], await createCsr([NAME], ownKey));
  const nonces = new Set<string>();
  const accounts = new Map<string, AccountKey>();
  const orders = new Map<string, Order>();
  let origin = "";

  const url = (path: string): string => origin + path;
  const freshNonce = (): string => {
    const nonce = newId();
    return kept(nonces, nonce);
  };

  const orderBody = (order: Order): object => {
    const outcomes = order.names.map((name) => order.proven.get(name));
    const status =
      order.certificate !== undefined
        ? "valid"
        : outcomes.includes("invalid")
          ? "invalid"
          : outcomes.every((outcome) => outcome === "valid")
            ? "ready"
            : "pending";
    return {
      status,
      expires: isoTime(clock.now() + DAY_MS),
      identifiers: order.names.map((value) => ({ type: "dns", value })),
      authorizations: order.names.map((name) => url(`/authorization/${order.id}/${name}`)),
      finalize: url(`/finalize/${order.id}`),
      ...(status === "valid" ? { certificate: url(`/certificate/${order.id}`) } : {}),
    };
  };

  const challengeBody = (order: Order, name: string): object => {
    const status = order.proven.get(name) ?? "pending";
    const error = {
      type: "urn:ietf:params:acme:error:unauthorized",
      detail: `http://${name}/.well-known/acme-challenge/ did not answer with the proof.`,
    };
    return {
      type: "http-01",
      url: url(`/challenge/${order.id}/${name}`),
      token: order.tokens.get(name),
      status,
      ...(status === "invalid" ? { error } : {}),
    };
  };

  const authorizationBody = (order: Order, name: string): object => ({
    status: order.proven.get(name) ?? "pending",
    expires: isoTime(clock.now() + DAY_MS),
    identifier: { type: "dns", value: name },
    challenges: [challengeBody(order, name)],
  });

  /** Looks for the proof at the name (RFC 8555 §8.3). */
  const validate = async (order: Order, name: string): Promise<void> => {
    if (order.proven.has(name)) return;
    const token = order.tokens.get(name) ?? "";
    const found = await visit(name, `/.well-known/acme-challenge/${token}`);
    const isProof = found?.trim() === `${token}.${order.thumbprint}`;
    order.proven.set(name, isProof ? "valid" : "invalid");
  };

  /** Answers a signed request. */
  const act = async (request: Request, path: string): Promise<Response> => {
    const { payload, key, accountUrl } = readSigned(await request.text(), url(path), {
      takeNonce: (nonce) => nonces.delete(nonce),
      keyOf: (account) => accounts.get(account),
    });
    const [, resource = "", id = "", name = ""] = path.split("/");
    if (resource === "new-account") {
      const found = [...accounts].find(([, known]) => known.thumbprint === key.thumbprint)?.[0];
      if (found === undefined && payload?.["onlyReturnExisting"] === true) {
        throw new Refusal("accountDoesNotExist", "The key has no account.");
      }
      const account = found ?? url(`/account/${newId()}`);
      accounts.set(account, key);
      return reply({ status: "valid", contact: [] }, found === undefined ? 201 : 200, account);
    }
    if (accountUrl === undefined) throw new Refusal("malformed", "The request needs an account.");
    if (resource === "account") return reply({ status: "valid", contact: [] });
    if (resource === "revoke") return new Response(null, { status: 200 });
    if (resource === "new-order") {
      const order = newOrder(payload, key.thumbprint);
      keptIn(orders, order.id, order);
      return reply(orderBody(order), 201, url(`/order/${order.id}`));
    }
    const order = orders.get(id);
    if (order === undefined || order.thumbprint !== key.thumbprint) {
      throw new Refusal("malformed", "There is no such resource.", 404);
    }
    if (resource === "order") return reply(orderBody(order));
    if (resource === "authorization" && order.tokens.has(name)) {
      return reply(authorizationBody(order, name));
    }
    if (resource === "challenge" && order.tokens.has(name)) {
      if (payload !== undefined) await validate(order, name);
      return reply(challengeBody(order, name));
    }
    if (resource === "finalize") {
      if (order.names.some((one) => order.proven.get(one) !== "valid")) {
        throw new Refusal("orderNotReady", "The names are not proven yet.", 403);
      }
      order.certificate = await issue(
        order.names,
        Buffer.from(textOf(payload?.["csr"]), "base64url"),
      );
      return reply(orderBody(order), 200, url(`/order/${order.id}`));
    }
    if (resource === "certificate" && order.certificate !== undefined) {
      const headers = { "content-type": "application/pem-certificate-chain" };
      return new Response(order.certificate, { headers });
    }
    throw new Refusal("malformed", "There is no such resource.", 404);
  };

  const answer = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    if (pathname === "/directory") return reply(directory(url));
    if (pathname === "/new-nonce") return new Response(null, { status: 200 });
    return act(request, pathname);
  };

  const fetch = async (request: Request): Promise<Response> => {
    let response: Response;
    try {
      response = await answer(request);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      response = reply(error.problem, error.problem.status);
      response.headers.set("content-type", "application/problem+json");
    }
    response.headers.set("replay-nonce", freshNonce());
    response.headers.set("cache-control", "no-store");
    return response;
  };
  const server = createServer({ cert: ownChain, key: ownKey }, nodeHandler({ fetch }));
  server.listen(0, ADDRESS);
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  origin = `https://${NAME}:${port}`;
  return {
    directoryUrl: url("/directory"),
    root: root.certificate,
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Returns a function that issues the certificate of a signing request: PEM. It throws a `Refusal` if the names differ. */
function issuing(
  issuer: CertificateAuthority,
  rootKey: string,
): (names: readonly string[], csr: Uint8Array) => Promise<string> {
  const account = { url: "", key: rootKey };
  const { signal } = new AbortController();
  return async ([first = "", ...others], csr) => {
    const order = await issuer.newOrder(account, { names: [first, ...others] }, signal);
    const finished = order.ok ? await issuer.finalize(account, order.value, csr, signal) : order;
    if (finished.ok && finished.value.status === "valid") {
      const chain = await issuer.download(account, finished.value.certificateUrl, signal);
      if (chain.ok) return chain.value;
    }
    throw new Refusal("badCSR", "The request does not fit the order.");
  };
}

function directory(url: (path: string) => string): object {
  return {
    newNonce: url("/new-nonce"),
    newAccount: url("/new-account"),
    newOrder: url("/new-order"),
    revokeCert: url("/revoke"),
    meta: { caaIdentities: [CAA_IDENTITY] },
  };
}

function newOrder(payload: unknown, thumbprint: string): Order {
  const { identifiers } = fieldsOf(payload);
  const names = (Array.isArray(identifiers) ? identifiers : []).map((one) =>
    textOf(fieldsOf(one)["value"]),
  );
  if (names.length === 0) throw new Refusal("malformed", "The order has no names.");
  const tokens = new Map(names.map((name) => [name, newId()]));
  return { id: newId(), names, thumbprint, tokens, proven: new Map() };
}

/** Adds to a set, and removes its oldest member if it has too many. */
function kept(set: Set<string>, value: string): string {
  set.add(value);
  const [oldest] = set;
  if (set.size > MOST && oldest !== undefined) set.delete(oldest);
  return value;
}

function keptIn<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > MOST && oldest !== undefined) map.delete(oldest);
}

function reply(body: object, status = 200, location?: string): Response {
  return Response.json(body, {
    status,
    ...(location === undefined ? {} : { headers: { location } }),
  });
}

function newId(): string {
  return randomBytes(18).toString("base64url");
}
