import type { HostUsers } from "../accounts/host-users.ts";
import type { Caller, Keyring } from "../accounts/keyring.ts";
import type { Clock } from "../base/clock.ts";
import type { Eventual } from "../base/eventual.ts";
import type { Log } from "../base/log.ts";
import { normalTarget } from "../base/normal-path.ts";
import { photoNamed } from "../catalogue/photo-address.ts";
import type { StoredPet } from "../catalogue/model.ts";
import type { HeaderFields } from "../http/answer.ts";
import type { FetchContext } from "../http/exchange.ts";
import { addressParts, isForged, pathStartOf } from "../http/exchange.ts";
import type { Environment } from "../model/account.ts";
import { isInNetworks } from "../model/network.ts";
import type { StoreReads } from "../storage/store.ts";
import { StoreUnavailable } from "../sql/sql.ts";
import { logFailure } from "../storage/log-failure.ts";
import type { PhotoFiles } from "./files.ts";

/**
 * Answers a request for a photo below the API; undefined for any other request. A photo of an animal that everybody may
 * see needs no key. Any other one, and all of Staging, are 404 without a key of their catalogue. Never rejects.
 */
export type PhotoVisits = (
  request: Request,
  context: FetchContext,
  root: string,
) => Promise<Response> | undefined;

export function photoVisits({
  store,
  files,
  keyring,
  users,
  trustedOrigins,
  environment,
  isShown,
  clock,
  log,
  cors,
}: {
  readonly store: StoreReads;
  readonly files: PhotoFiles;
  readonly keyring: Keyring;
  readonly users: HostUsers;
  readonly trustedOrigins: readonly string[];
  readonly environment: Environment;
  readonly isShown: (pet: StoredPet, catalogueId: number) => Eventual<boolean>;
  readonly clock: Clock;
  readonly log: Log;
  readonly cors: HeaderFields;
}): PhotoVisits {
  /** Returns the user of the host, else the holder of the key. */
  const callerOf = async (request: Request, context: FetchContext): Promise<Caller | undefined> => {
    const now = clock.now();
    if (context.principal !== undefined) {
      const user = await users.identify(context, now);
      if (user !== undefined)
        return isForged({ request, context }, trustedOrigins) ? undefined : user;
    }
    const authorization = request.headers.get("authorization");
    if (authorization === null) return undefined;
    const found = await keyring.identify(authorization, now);
    return found.ok ? found.value : undefined;
  };

  /** Returns the catalogue whose animals the caller may read. */
  const catalogueOf = async (
    request: Request,
    context: FetchContext,
  ): Promise<number | undefined> => {
    const caller = await callerOf(request, context);
    if (caller === undefined || caller.account.suspendedAt !== undefined) return undefined;
    const { scopes, catalogueId, key } = caller;
    if (!scopes.includes("pets:read")) return undefined;
    const { allowedAddresses } = key ?? {};
    if (allowedAddresses === undefined) return catalogueId;
    const { address } = context;
    const from = typeof address === "function" ? address() : address;
    return from !== undefined && isInNetworks(from, allowedAddresses) ? catalogueId : undefined;
  };

  const isPublic = async (pet: StoredPet, catalogueId: number): Promise<boolean> => {
    const catalogue = await store.catalogues.byId(catalogueId);
    // The photos of both environments have the same file if they were made of the same picture.
    if (catalogue?.environment !== "production") return false;
    const account = await store.accounts.byId(catalogue.accountId);
    if (account === undefined || account.suspendedAt !== undefined) return false;
    return isShown(pet, catalogueId);
  };

  const answer = async (
    request: Request,
    context: FetchContext,
    name: NonNullable<ReturnType<typeof photoNamed>>,
  ): Promise<Response> => {
    const own = await catalogueOf(request, context);
    const found = await files.answer(request, name, {
      isVisible: (pet, catalogueId) =>
        catalogueId === own || (environment === "production" && isPublic(pet, catalogueId)),
      ...(environment === "staging" && own !== undefined ? { catalogueId: own } : {}),
    });
    return found ?? plain(404, "There is no such photo.", cors);
  };

  return (request, context, root) => {
    const { url, method } = request;
    if (method !== "GET" && method !== "HEAD") return undefined;
    const { address } = addressParts(url);
    const path = normalTarget(address.slice(pathStartOf(address)));
    const name = path.startsWith(root) ? photoNamed(path.slice(root.length)) : undefined;
    if (name === undefined) return undefined;
    return answer(request, context, name).catch((error: unknown) => {
      logFailure(log, "a photo could not be sent", error, { now: clock.now() });
      return error instanceof StoreUnavailable
        ? plain(503, "Try again in 5 seconds.", { ...cors, "retry-after": "5" })
        : plain(500, "The server failed.", cors);
    });
  };
}

function plain(status: number, text: string, more: HeaderFields): Response {
  return new Response(`${text}\n`, {
    status,
    headers: {
      "content-type": "text/plain; charset=utf-8",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      ...more,
    },
  });
}
