import type { HostUsers } from "../accounts/host-users.ts";
import type { Caller, Keyring } from "../accounts/keyring.ts";
import type { Clock } from "../base/clock.ts";
import { once, type Eventual } from "../base/eventual.ts";
import type { Log } from "../base/log.ts";
import { normalTarget } from "../base/normal-path.ts";
import { photoNamed } from "../catalogue/photo-address.ts";
import type { StoredPet } from "../catalogue/model.ts";
import type { HeaderFields } from "../http/answer.ts";
import type { FetchContext } from "../http/exchange.ts";
import { addressParts, isForged, pathStartOf } from "../http/exchange.ts";
import type { Environment } from "../model/account.ts";
import { isInNetworks } from "../model/client-address.ts";
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

  /** Returns the caller, if it may read the animals of its catalogue. */
  const readerOf = async (request: Request, context: FetchContext): Promise<Caller | undefined> => {
    const caller = await callerOf(request, context);
    if (caller === undefined || caller.account.suspendedAt !== undefined) return undefined;
    const { scopes, key } = caller;
    if (!scopes.includes("pets:read")) return undefined;
    const { allowedAddresses } = key ?? {};
    if (allowedAddresses === undefined) return caller;
    const { address } = context;
    const from = typeof address === "function" ? address() : address;
    return from !== undefined && isInNetworks(from, allowedAddresses) ? caller : undefined;
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
    const reader = once(() => readerOf(request, context));
    // A host looks its users up, so it is not asked about photos that everybody may see.
    const isPublicFirst = context.principal !== undefined && environment === "production";
    const known = isPublicFirst ? undefined : await reader();
    let shownTo: Caller | undefined;
    const found = await files.answer(request, name, {
      isVisible: async (pet, catalogueId) => {
        shownTo = known;
        if (known?.catalogueId === catalogueId) return true;
        shownTo = undefined;
        if (environment === "production" && (await isPublic(pet, catalogueId))) return true;
        shownTo = isPublicFirst ? await reader() : undefined;
        return shownTo?.catalogueId === catalogueId;
      },
      ...(environment === "staging" && known !== undefined
        ? { catalogueId: known.catalogueId }
        : {}),
    });
    if (found === undefined) return plain(404, "There is no such photo.", cors);
    return shownTo !== undefined && shownTo.key === undefined ? onlyForUser(found) : found;
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

/** Keeps a photo that a user of the host may see out of shared caches and of pages of other origins. */
function onlyForUser(photo: Response): Response {
  photo.headers.set("cache-control", "private, no-cache");
  const vary = photo.headers.get("vary");
  photo.headers.set("vary", `${vary === null ? "" : `${vary}, `}Authorization, Cookie`);
  photo.headers.set("cross-origin-resource-policy", "same-origin");
  photo.headers.delete("access-control-allow-origin");
  return photo;
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
