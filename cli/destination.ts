import { Failure } from "./exit.ts";
import { environmentName } from "./options.ts";
import { serverAddress } from "./server-address.ts";

/** Which service a command is for: the one in a data directory of this machine, or one that runs elsewhere. */
export type Destination =
  | { readonly kind: "installation" }
  | {
      readonly kind: "remote";
      /** Without a slash at its end: `https://pets.example.org`. */
      readonly server: string;
      readonly token: TokenSource | undefined;
    };

export type TokenSource =
  | { readonly kind: "file"; readonly path: string }
  /** A secret. */
  | { readonly kind: "given"; readonly token: string };

export interface DestinationFlags {
  readonly "data-dir": string | undefined;
  readonly config: string | undefined;
  readonly server: string | undefined;
  readonly "token-file": string | undefined;
}

/** Variables that commands read, and `serve` does not. */
export const destinationVariables: readonly string[] = ["server", "token", "token-file"].map(
  environmentName,
);

/** What flags and environment say together; flags win. Fails when they contradict themselves. */
export function destination(
  flags: DestinationFlags,
  environment: Readonly<Record<string, string | undefined>>,
): Destination {
  const { "data-dir": dataDir, config, server: typed, "token-file": tokenFile } = flags;
  const here = dataDir !== undefined || config !== undefined;
  if (typed !== undefined && here) {
    const other = dataDir === undefined ? "--config" : "--data-dir";
    throw new Failure(
      "usage",
      `--server and ${other} are both given: one means a service elsewhere, the other this machine's.`,
    );
  }
  const written = typed ?? (here ? undefined : value(environment, "server"));
  if (written === undefined) {
    if (tokenFile === undefined) return { kind: "installation" };
    throw new Failure(
      "usage",
      "--token-file goes with --server: whoever may open the data directory needs no token.",
    );
  }
  const server = serverAddress(written);
  if (!server.ok) {
    throw typed === undefined
      ? new Failure("configuration", `${environmentName("server")} ${server.failure}.`)
      : new Failure("usage", `--server ${server.failure}.`);
  }
  return { kind: "remote", server: server.value, token: tokenSource(tokenFile, environment) };
}

function tokenSource(
  typed: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): TokenSource | undefined {
  if (typed !== undefined) return { kind: "file", path: typed };
  const token = value(environment, "token");
  const path = value(environment, "token-file");
  if (token !== undefined && path !== undefined) {
    throw new Failure("configuration", "PETSTORE_TOKEN and PETSTORE_TOKEN_FILE are both given.");
  }
  if (token !== undefined) return { kind: "given", token };
  return path === undefined ? undefined : { kind: "file", path };
}

function value(
  environment: Readonly<Record<string, string | undefined>>,
  name: string,
): string | undefined {
  const given = environment[environmentName(name)];
  return given === "" ? undefined : given;
}
