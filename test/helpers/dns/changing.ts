import { authoritativeAnswer, recursiveAnswer } from "./answer.ts";
import { fakeServer } from "./server.ts";
import { zone, type Line, type Zone } from "./zone.ts";
import { nameServerAddress } from "../knot.ts";

/** A zone with one name server and an uncached resolver, both of which a test can change. */
export interface ChangingZone extends AsyncDisposable {
  /** The value for `dns-servers`: `127.0.0.1:5353`. */
  readonly resolver: string;
  /** Replaces its records. */
  become(lines: readonly Line[]): void;
  /** Sets the resolver's cached records; undefined: it returns the zone's. */
  remember(lines: readonly Line[] | undefined): void;
}

export interface ChangingZoneOptions {
  readonly apex: string;
  /** The addresses of names in other zones, by parent name. */
  readonly hosts: Readonly<Record<string, string>>;
}

/** Requires permission to listen on port 53, which name servers use. */
export async function changingZone({ apex, hosts }: ChangingZoneOptions): Promise<ChangingZone> {
  const address = await nameServerAddress();
  const server = `ns1.dns-of-${apex}`;
  const made = (lines: readonly Line[]): Zone => zone({ apex, servers: [server], lines });
  let current = made([]);
  let remembered: Zone | undefined;
  const others = Object.entries({ ...hosts, [server]: address }).map(([name, host]) =>
    zone({ apex: name, servers: [server], lines: [`@ A ${host}`, `* A ${host}`] }),
  );
  const authority = await fakeServer({
    address,
    port: 53,
    say: ({ name, type }) => authoritativeAnswer([current], name, type),
  });
  const resolver = await fakeServer({
    say: ({ name, type }) => recursiveAnswer([remembered ?? current, ...others], name, type),
  });
  return {
    resolver: `${resolver.address}:${resolver.port}`,
    become: (lines) => {
      current = made(lines);
    },
    remember: (lines) => {
      remembered = lines === undefined ? undefined : made(lines);
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([authority.close(), resolver.close()]);
    },
  };
}
