import type { Directory } from "../ports/authority.ts";
import { fields, httpsUrl, list, text, type Fields } from "./read-json.ts";

/** Where a CA listens (RFC 8555 §7.1.1). */
export interface Endpoints {
  readonly newNonce: string;
  readonly newAccount: string;
  readonly newOrder: string;
  readonly revokeCert: string;
  /** Absent: it says nothing of renewals. */
  readonly renewalInfo?: string;
  /** Absent: account keys cannot be changed there. */
  readonly keyChange?: string;
}

const MAX_IDENTITIES = 20;
const MAX_PROFILES = 50;

/** What the directory's document says; undefined when it lacks an address that we cannot do without. */
export function readDirectory(
  found: Fields,
): { readonly endpoints: Endpoints; readonly directory: Directory } | undefined {
  const [newNonce, newAccount] = [httpsUrl(found["newNonce"]), httpsUrl(found["newAccount"])];
  const [newOrder, revokeCert] = [httpsUrl(found["newOrder"]), httpsUrl(found["revokeCert"])];
  if (newNonce === undefined || newAccount === undefined) return undefined;
  if (newOrder === undefined || revokeCert === undefined) return undefined;
  const meta = fields(found["meta"]) ?? {};
  const termsOfServiceUrl = text(meta["termsOfService"]);
  const identities = list(meta["caaIdentities"], MAX_IDENTITIES);
  const profiles = Object.entries(fields(meta["profiles"]) ?? {}).slice(0, MAX_PROFILES);
  const keyChange = httpsUrl(found["keyChange"]);
  const renewalInfo = httpsUrl(found["renewalInfo"]);
  return {
    endpoints: {
      newNonce,
      newAccount,
      newOrder,
      revokeCert,
      ...(keyChange !== undefined && { keyChange }),
      ...(renewalInfo !== undefined && { renewalInfo }),
    },
    directory: {
      caaIdentities: identities.flatMap((one) => text(one)?.toLowerCase() ?? []),
      ...(termsOfServiceUrl !== undefined && { termsOfServiceUrl }),
      renewalInfo: renewalInfo !== undefined,
      externalAccountRequired: meta["externalAccountRequired"] === true,
      profiles: Object.fromEntries(profiles.map(([name, about]) => [name, text(about) ?? ""])),
    },
  };
}
