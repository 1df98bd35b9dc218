import { authoritativeAnswer } from "./answer.ts";
import { fakeServer, type Query, type FakeServer, type ServerFault } from "./server.ts";
import { zone, type Line } from "./zone.ts";

/** Servers of the zone `shelter.org` with configurable behavior, closed together. */
export interface ZoneServers {
  start(plan: {
    readonly lines?: readonly Line[];
    readonly fault?: (query: Query) => ServerFault | undefined;
    readonly address?: string;
  }): Promise<FakeServer>;
  closeAll(): Promise<void>;
}

export function zoneServers(): ZoneServers {
  const open: FakeServer[] = [];
  return {
    start: async ({ lines = [], fault, address }) => {
      const shelter = zone({ apex: "shelter.org", servers: ["ns1.dns.example"], lines });
      const server = await fakeServer({
        say: ({ name, type }) => authoritativeAnswer([shelter], name, type),
        ...(fault && { fault }),
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
