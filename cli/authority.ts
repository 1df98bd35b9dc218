import { readFile } from "node:fs/promises";

import {
  acmeAuthority,
  createInternalRoot,
  createSeal,
  httpsExchange,
  internalAuthority,
  SealBroken,
  type CertificateAuthority,
  type InternalRoot,
} from "../domains/index.ts";
import { systemRandom } from "../lib/base/id.ts";
import type { Clock } from "../lib/index.ts";
import type { DataDirectory } from "./data-directory.ts";
import { directoryOf } from "./domain-values.ts";
import { Failure } from "./exit.ts";
import { options, type Settings } from "./options.ts";
import { baseAddress } from "./public-address.ts";
import { codeOf, reasonOf } from "./system-error.ts";
import { writePublic, writeSecret } from "./write-secret.ts";

export interface AuthorityOptions {
  readonly settings: Settings;
  readonly directory: Pick<DataDirectory, "caRoot" | "caKey">;
  readonly encryptionKey: Uint8Array;
  readonly clock: Clock;
  readonly version: string;
}

/**
 * Who issues certificates. Without a listener for HTTPS nobody sees any: no CA is troubled, and what stands in for one
 * is kept nowhere.
 */
export async function openAuthority(asked: AuthorityOptions): Promise<CertificateAuthority> {
  const { settings, clock } = asked;
  const directoryUrl = directoryOf(settings.acme);
  if (directoryUrl === undefined || settings.listenHttps === "off") {
    const root = await (settings.listenHttps === "off"
      ? createInternalRoot(clock.now(), systemRandom)
      : internalRoot(asked));
    return internalAuthority({ root, clock, random: systemRandom });
  }
  return acmeAuthority({ directoryUrl, exchange: await exchangeOf(asked), clock });
}

/** How the CA is reached. */
export async function exchangeOf({
  settings,
  clock,
  version,
}: Pick<AuthorityOptions, "settings" | "clock" | "version">): ReturnType<typeof caExchange> {
  return caExchange(settings, clock, `petstore/${version} (${baseAddress(settings)})`);
}

async function caExchange({ acmeCaFile }: Settings, clock: Clock, userAgent: string) {
  if (acmeCaFile === undefined) return httpsExchange({ clock, userAgent });
  const extraRoots = await readOption(acmeCaFile, options.acmeCaFile.name);
  return httpsExchange({ clock, userAgent, extraRoots });
}

/** A file that an option names. Fails with the option's name. */
export async function readOption(path: string, option: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const reason = codeOf(error) === "ENOENT" ? "there is no such file" : reasonOf(error);
    throw new Failure("configuration", `${option}: ${path}: ${reason}.`, { cause: error });
  }
}

const IDENTITY = "internal CA";

/** Made at its first use. The certificate is what people give to their devices; it is written when the key is safe. */
async function internalRoot({
  directory: { caRoot, caKey },
  encryptionKey,
  clock,
}: AuthorityOptions): Promise<InternalRoot> {
  const seal = createSeal(encryptionKey);
  const [certificate, sealed] = await Promise.all([readIfThere(caRoot), readIfThere(caKey)]);
  if (certificate !== undefined && sealed !== undefined) {
    try {
      return { certificate, key: seal.open(sealed.trim(), IDENTITY) };
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error;
      throw new Failure("configuration", `${caKey}: ${error.message}`, { cause: error });
    }
  }
  const root = await createInternalRoot(clock.now(), systemRandom);
  await writeSecret(caKey, `${seal.close(root.key, IDENTITY)}\n`);
  await writePublic(caRoot, root.certificate);
  return root;
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw new Failure("configuration", `${path} cannot be read: ${reasonOf(error)}.`, {
      cause: error,
    });
  }
}
