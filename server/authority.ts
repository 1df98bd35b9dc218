import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";

import {
  acmeAuthority,
  createInternalRoot,
  createSeal,
  createHttpsClient,
  internalAuthority,
  SealBroken,
  type CertificateAuthority,
  type InternalRoot,
} from "../domains/index.ts";
import type { Seal } from "../domains/storage/seal.ts";
import { systemRandom } from "../lib/base/id.ts";
import type { Clock, Log, Store } from "../lib/index.ts";
import { directoryOf } from "../settings/addresses.ts";
import { quoted } from "../settings/values.ts";
import { issuersIn } from "../settings/issuers.ts";
import { codeOf, Failure, reasonOf } from "../settings/failure.ts";
import { options, type Settings } from "../settings/options.ts";
import { baseAddress } from "../settings/public-address.ts";
import type { DataDirectory } from "./data/data-directory.ts";
import { writePublic, writeSecret } from "./data/files.ts";
import type { Runtime } from "./process/runtime.ts";

export interface AuthorityOptions {
  readonly settings: Settings;
  readonly directory: Pick<DataDirectory, "caRoot" | "caKey">;
  /** A secret. */
  readonly encryptionKey: Uint8Array;
  readonly runtime: Runtime;
  /** Default: the data directory alone keeps the internal CA. */
  readonly store?: Pick<Store, "settings" | "commit">;
  /** Whether the store keeps the internal CA, for several nodes. Default: the data directory does. */
  readonly shared?: boolean;
}

/** One or more CAs, preferred first. */
type Authorities = readonly [CertificateAuthority, ...CertificateAuthority[]];

/** Opens the CAs of a server. Without a listener for HTTPS a temporary one stands in, and no public CA is contacted. */
export async function openAuthorities(given: AuthorityOptions): Promise<Authorities> {
  const { settings, runtime } = given;
  const { clock } = runtime;
  if (settings.listenHttps === "off") return [internalAuthority({ clock, random: systemRandom })];
  const [first, ...others] = await publicAuthorities(settings, runtime);
  if (first !== undefined) return [first, ...others];
  return [internalAuthority({ root: await internalRoot(given), clock, random: systemRandom })];
}

/** Returns the CAs that `acme` or `issuers` name, preferred first; none for the internal one. */
export function publicAuthorities(
  settings: Settings,
  { clock, version }: Runtime,
): Promise<readonly CertificateAuthority[]> {
  return Promise.all(
    issuersIn(settings).map(async ({ directory, email, eab, caFile, caaIdentities, profile }) => {
      const option = settings.issuers === undefined ? options.acmeCaFile : options.issuers;
      const https = createHttpsClient({
        clock,
        userAgent: `petstore/${version} (${baseAddress(settings)})`,
        ...(caFile === undefined ? {} : { extraRoots: await readOption(caFile, option.name) }),
      });
      return acmeAuthority({
        directoryUrl: directoryOf(directory) ?? directory,
        https,
        clock,
        caaIdentities,
        profile,
        application: {
          email,
          ...(eab === undefined
            ? {}
            : { externalAccount: { keyId: eab.kid, hmacKey: eab.hmacKey } }),
        },
      });
    }),
  );
}

/** Returns the CAs for rehearsals of renewals: the staging environment of Let's Encrypt, if that issues certificates. */
export async function rehearsalAuthorities(
  settings: Settings,
  runtime: Runtime,
): Promise<readonly CertificateAuthority[]> {
  const staging = issuersIn(settings)
    .filter(({ directory }) => directoryOf(directory) === directoryOf("letsencrypt"))
    .map((issuer) => ({ ...issuer, directory: "letsencrypt-staging" }));
  return staging.length === 0 ? [] : publicAuthorities({ ...settings, issuers: staging }, runtime);
}

/** Reads a file that an option names. Fails with the name of the option. */
export async function readOption(path: string, option: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const reason = codeOf(error) === "ENOENT" ? "the file does not exist" : reasonOf(error);
    throw new Failure("configuration", `${option}: ${path}: ${reason}.`, { cause: error });
  }
}

const IDENTITY = "internal CA";

/** The root as it is stored. */
interface SealedRoot {
  readonly certificate: string;
  /** Sealed. */
  readonly key: string;
}

/**
 * Opens the root of the internal CA, or creates it. It is in the data directory, where users find the certificate, and in the
 * store. One process keeps it in the directory, several keep it in the store; the other place gets a copy, so that a move
 * between SQLite and PostgreSQL finds both halves. Fails if they do not belong together.
 */
async function internalRoot({
  directory,
  encryptionKey,
  runtime: { clock },
  store,
  shared = false,
}: AuthorityOptions): Promise<InternalRoot> {
  const seal = createSeal(encryptionKey);
  const inDirectory = rootInDirectory(directory);
  const inStore = store === undefined ? undefined : rootInStore(store);
  const places = [inDirectory, inStore].filter((one) => one !== undefined);
  if (shared) places.reverse();

  const found = await Promise.all(
    places.map(async (place) => {
      const kept = await place.read();
      return { place, kept, fault: kept === undefined ? "none" : faultIn(kept, seal) } as const;
    }),
  );
  const whole = found.find(({ fault }) => fault === undefined);
  const broken = found.find(({ kept }) => kept !== undefined);
  if (whole === undefined && broken !== undefined) {
    const { caRoot, caKey } = directory;
    throw new Failure(
      "configuration",
      `The key of the internal CA, ${broken.place.name}, ${broken.fault}. Restore ${caRoot} and ${caKey} from a backup, or remove both: then the next start creates another CA, which devices have to trust.`,
    );
  }
  const made = async (): Promise<SealedRoot> => {
    const { certificate, key } = await createInternalRoot(clock.now(), systemRandom);
    return { certificate, key: seal.close(key, IDENTITY) };
  };
  let root = whole?.kept ?? (await made());
  for (const { place, kept } of found) {
    const isSame = kept?.certificate === root.certificate && kept.key === root.key;
    // Another node may have been faster.
    if (!isSame) root = await place.write(root, kept !== undefined);
  }
  return { certificate: root.certificate, key: seal.open(root.key, IDENTITY) };
}

/** Returns what is wrong with a root; undefined: the key is that of the certificate. */
function faultIn({ certificate, key }: SealedRoot, seal: Seal): string | undefined {
  if (key === "") return "is missing";
  try {
    const opened = createPrivateKey(seal.open(key, IDENTITY));
    const isPair = new X509Certificate(certificate).checkPrivateKey(opened);
    return isPair ? undefined : "does not belong to its certificate";
  } catch (error) {
    return error instanceof SealBroken
      ? `cannot be opened: ${error.message.replace(/\.$/, "")}`
      : "or its certificate is damaged";
  }
}

/** Where the root is kept. */
interface KeptRoot {
  /** The name for messages. */
  readonly name: string;
  /** The key is empty if only the certificate exists. */
  read(): Promise<SealedRoot | undefined>;
  /** Keeps the root; without `over`, unless another process was faster. Returns the one that is kept. */
  write(root: SealedRoot, over: boolean): Promise<SealedRoot>;
}

function rootInDirectory({ caRoot, caKey }: AuthorityOptions["directory"]): KeptRoot {
  return {
    name: caKey,
    read: async () => {
      const [certificate, sealed] = await Promise.all([
        readIfPresent(caRoot),
        readIfPresent(caKey),
      ]);
      // The certificate, which users install, is written after its key.
      if (certificate === undefined) return undefined;
      return { certificate, key: sealed?.trim() ?? "" };
    },
    write: async (root) => {
      await writeSecret(caKey, `${root.key}\n`);
      await writePublic(caRoot, root.certificate);
      return root;
    },
  };
}

function rootInStore(store: NonNullable<AuthorityOptions["store"]>): KeptRoot {
  const read = async (): Promise<SealedRoot | undefined> => {
    const value = await store.settings.get(IDENTITY);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return value === undefined ? undefined : (JSON.parse(value) as SealedRoot);
  };
  return {
    name: "in the database",
    read,
    write: async (root, over) => {
      const kind = over ? "setting.save" : "setting.init";
      await store.commit([{ kind, name: IDENTITY, value: JSON.stringify(root) }], {
        kind: "system",
      });
      return (await read()) ?? root;
    },
  };
}

async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw new Failure("configuration", `${path} cannot be read: ${reasonOf(error)}.`, {
      cause: error,
    });
  }
}

/** How long a CA has to answer before it is logged without its terms. */
const PATIENCE_MS = 10_000;

/**
 * Checks that each CA offers the profile of the options. Fails for a profile that it does not offer; a CA that does not
 * answer in time is logged, and the orders show whether it accepts the profile.
 */
export async function checkProfiles(
  authorities: readonly Pick<CertificateAuthority, "id" | "profile" | "directory">[],
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Promise<void> {
  await Promise.all(
    authorities.map(async ({ id: ca, profile, directory }) => {
      if (profile === undefined) return;
      const read = await directoryWithin(directory, clock);
      if (read?.ok !== true) {
        log.warn("the CA did not answer, so its profiles could not be checked", { ca, profile });
        return;
      }
      const offered = Object.keys(read.value.profiles);
      if (offered.includes(profile)) return;
      const choice =
        offered.length === 0 ? "It has no profiles" : `It offers ${offered.toSorted().join(", ")}`;
      throw new Failure(
        "configuration",
        `${ca} does not offer the profile ${quoted(profile)}, which acme-profile or issuers names. ${choice}.`,
      );
    }),
  );
}

/** Returns a directory, or undefined after `PATIENCE_MS`, or once `stopping` is aborted. */
async function directoryWithin(
  directory: CertificateAuthority["directory"],
  clock: Clock,
  stopping?: AbortSignal,
): Promise<Awaited<ReturnType<CertificateAuthority["directory"]>> | undefined> {
  const over = new AbortController();
  const either = stopping === undefined ? over.signal : AbortSignal.any([stopping, over.signal]);
  const timeout = clock.sleep(PATIENCE_MS, either).then(
    () => undefined,
    () => undefined,
  );
  const read = await Promise.race([directory(either).catch(() => undefined), timeout]);
  over.abort();
  return read;
}

/** Logs which CA issues certificates and the terms of service that the operator accepted by choosing it. */
export async function logAuthority(
  { kind, id, directory }: Pick<CertificateAuthority, "kind" | "id" | "directory">,
  { clock, log, caRoot }: { readonly clock: Clock; readonly log: Log; readonly caRoot: string },
  stopping: AbortSignal,
): Promise<void> {
  if (kind === "internal") {
    log.info("the internal CA issues certificates; visitors must trust its root", { root: caRoot });
    return;
  }
  const read = await directoryWithin(directory, clock, stopping);
  if (stopping.aborted) return;
  if (read?.ok !== true) {
    log.warn("the CA cannot be reached; the next order for a certificate tries again", {
      ca: id,
      reason: read?.failure.message ?? "no answer",
    });
    return;
  }
  const { termsOfServiceUrl, externalAccountRequired } = read.value;
  log.info("a CA issues certificates; choosing it accepts its terms of service", {
    ca: id,
    terms: termsOfServiceUrl,
    ...(externalAccountRequired
      ? { needs: "acme-eab-kid and acme-eab-hmac-key, or eab in issuers" }
      : {}),
  });
}
