import type { Environment } from "../../lib/model/account.ts";
import { createPetstore, type Petstore } from "../../lib/petstore.ts";
import type { Store } from "../../lib/storage/store.ts";
import { manualClock } from "../../testing/clock.ts";
import { api, type Api } from "../helpers/api.ts";
import type { Env } from "./case.ts";
import { fragile } from "./fault.ts";
import { sheltering } from "./shelter.ts";

/** A Friday in November 2026, on a whole second. */
export const START_MS = 1_795_203_120_000;

const bases: Readonly<Record<Environment, string>> = {
  production: "http://petstore.test",
  staging: "http://staging.petstore.test",
};

export interface InProcess {
  readonly env: Env;
  readonly close: () => Promise<void>;
}

/** Receives every response before its reader. */
export type Witness = (request: Request, response: Response) => void;

/** Both environments over `store`, with a stopped clock. */
export function inProcess(store: Store, witness: Witness = () => {}): InProcess {
  const clock = manualClock(START_MS);
  const fragileStore = fragile(store);
  const encryptionKey = new Uint8Array(32).fill(7);
  const servers = { production: `${bases.production}/v1`, staging: `${bases.staging}/v1` };
  const shared = { store: fragileStore.store, clock, encryptionKey, servers };
  const open = (): Readonly<Record<Environment, Petstore>> => ({
    production: createPetstore(shared),
    staging: createPetstore({ ...shared, environment: "staging" }),
  });
  let served = open();

  const speak = (environment: Environment, address: string): Api =>
    api({
      base: bases[environment],
      fetch: async (request) => {
        const response = await served[environment].fetch(request, { address });
        witness(request, response);
        return response;
      },
    });
  const anyone = speak("production", "203.0.113.1");
  const anyoneInStaging = speak("staging", "203.0.113.1");
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 3; turn++) await Bun.sleep(0);
  };

  return {
    env: {
      anyone,
      staging: anyoneInStaging,
      from: (address) => speak("production", address),
      account: sheltering(() => served.production.client, {
        production: anyone,
        staging: anyoneInStaging,
      }),
      inside: {
        clock,
        pass: async (ms) => {
          clock.advance(ms);
          await served.production.jobs.tick();
          await served.staging.jobs.tick();
          await settle();
        },
        restart: async () => {
          await served.production.close();
          await served.staging.close();
          served = open();
        },
        fail: (error, when) => fragileStore.fail(error, when),
        hold: (method) => fragileStore.hold(method),
        mend: () => fragileStore.mend(),
      },
      socket: () => Promise.reject(new Error("there is no socket in process")),
    },
    close: async () => {
      fragileStore.mend();
      await served.production.close();
      await served.staging.close();
      await store.close();
    },
  };
}
