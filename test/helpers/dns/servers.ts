import { authoritativeAnswer } from "./answer.ts";
import { fakeServer, type Asked, type FakeServer, type Odd } from "./server.ts";
import { zone, type Line } from "./zone.ts";

/** Servers of the zone `shelter.org` with configurable behavior, closed together. */
export interface ZoneServers {
  start(plan: {
    readonly lines?: readonly Line[];
    readonly odd?: (asked: Asked) => Odd | undefined;
    readonly address?: string;
  }): Promise<FakeServer>;
  closeAll(): Promise<void>;
}

export function zoneServers(): ZoneServers {
  const open: FakeServer[] = [];
  return {
    start: async ({ lines = [], odd, address }) => {
      const shelter = zone({ apex: "shelter.org", servers: ["ns1.dns.example"], lines });
      const server = await fakeServer({
        say: ({ name, type }) => authoritativeAnswer([shelter], name, type),
        ...(odd && { odd }),
        ...(address !== undefined && { address }),
      });
      open.push(server);
      return server;
    },
    closeAll: async () => {
      await Promise.all(open.splice(0).map((server) => server.close()));
    },
  };
}
