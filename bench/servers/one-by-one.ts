/** The service over a store that starts each commit after the previous one is on disk. Arguments: port, directory. */
import { join } from "node:path";
import { bunHandler } from "../../adapters/hosts/bun.ts";
import type { Store } from "../../lib/storage/store.ts";
import { openService } from "../service.ts";

const [port = "0", directory = ""] = process.argv.slice(2);

function oneByOne(store: Store): Store {
  let last: Promise<unknown> = Promise.resolve();
  return {
    ...store,
    commit: (changes, actor) => {
      const own = last.then(() => store.commit(changes, actor));
      last = own.catch(() => undefined);
      return own;
    },
  };
}

const { service, token } = await openService(directory, 0, oneByOne);
await Bun.write(join(directory, "key"), token);
service.jobs.start();
Bun.serve({ hostname: "127.0.0.1", port: Number(port), fetch: bunHandler(service) });
