import { createBaseDomainLook, type CertificateAuthority } from "../../domains/index.ts";
import type { System } from "../../lib/management/index.ts";
import type { Context } from "../command.ts";
import { publicAuthority } from "../https-checks.ts";
import type { Settings } from "../options.ts";
import type { CustomParts } from "../custom-parts.ts";
import type { DataDirectory } from "../data-directory.ts";
import { baseAddress, type Ports } from "../public-address.ts";
import { makeSampleShelter, type SampleGround } from "../sample/make.ts";
import type { LoadedSettings } from "../settings.ts";
import { createSystem } from "./create.ts";
import { machineAddresses } from "./machine-addresses.ts";

export interface SystemParts {
  readonly loaded: LoadedSettings;
  readonly directory: DataDirectory;
  readonly context: Context;
  /** A secret. */
  readonly encryptionKey: Uint8Array;
  readonly custom: CustomParts;
  readonly ports?: Ports;
}

/** What the program knows of itself, as soon as there is a service over its store. */
export function systemOf({
  loaded,
  directory,
  context,
  encryptionKey,
  custom,
  ports,
}: SystemParts): (ground: SampleGround) => System {
  const { resolvers, caaIdentities, allowPrivateNetworks, publicPorts } = custom;
  return (ground) =>
    createSystem({
      loaded,
      directory,
      context,
      address: baseAddress(loaded.settings, ports),
      look: createBaseDomainLook({
        resolvers,
        encryptionKey,
        authority: () => futureAuthority(loaded.settings, context),
        clock: context.clock,
        ...(caaIdentities === undefined ? {} : { caaIdentities }),
        ...(allowPrivateNetworks === undefined ? {} : { allowPrivateNetworks }),
        ...(publicPorts === undefined ? {} : { publicPorts }),
      }),
      machine: machineAddresses,
      sampleShelter: (author) => makeSampleShelter(ground, author),
    });
}

/** Who will issue certificates once the service listens for HTTPS; nobody where a proxy ends TLS before it. */
async function futureAuthority(
  settings: Settings,
  context: Context,
): Promise<CertificateAuthority | undefined> {
  const proxied = settings.listenHttps === "off" && settings.trustedProxies.length > 0;
  return proxied || settings.tlsCertFile !== undefined
    ? undefined
    : publicAuthority({ settings, context });
}
