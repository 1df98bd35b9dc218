import { authoritativeAnswer, recursiveAnswer } from "./answer.ts";
import { fakeServer } from "./server.ts";
import { zone, type Line, type Zone } from "./zone.ts";
import { nameServerAddress } from "../knot.ts";

/** A zone with one name server and a resolver that asks it every time, both of which a test can change. */
export interface ChangingZone extends AsyncDisposable {
  /** `127.0.0.1:5353`, as `dns-servers` wants it. */
  readonly resolver: string;
  /** From now on its records are these. */
  become(lines: readonly Line[]): void;
  /** What the resolver still says of them; undefined: what the zone says. */
  remember(lines: readonly Line[] | undefined): void;
}

export interface ChangingZoneOptions {
  readonly apex: string;
  /** Of other zones: what names below them have as their address. */
  readonly hosts: Readonly<Record<string, string>>;
}

/** Name servers are asked on port 53, which is why it needs the right to listen there. */
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
