import type { Result } from "../../lib/base/result.ts";
import { scopes as allScopes } from "../../lib/model/scope.ts";
import { createPetstore, type Petstore } from "../../lib/petstore.ts";
import type { Store } from "../../lib/storage/store.ts";
import { manualClock } from "../../lib/testing/clock.ts";
import { api, type Api } from "../helpers/api.ts";
import type { AccountOptions, Env, Holder, KeyOptions, Shelter } from "./case.ts";
import { fragile } from "./fault.ts";

/** A Friday in November 2026, on a whole second. */
export const START_MS = 1_795_203_120_000;

const PRODUCTION = "http://petstore.test";
const STAGING = "http://staging.petstore.test";

export interface InProcess {
  readonly env: Env;
  readonly close: () => Promise<void>;
}

/** Hears of every answer before its reader does. */
export type Witness = (request: Request, response: Response) => void;

/** Both environments over `store`, by a clock that stands still. */
export function inProcess(store: Store, witness: Witness = () => {}): InProcess {
  const clock = manualClock(START_MS);
  const fragileStore = fragile(store);
  const encryptionKey = new Uint8Array(32).fill(7);
  const shared = { store: fragileStore.store, clock, encryptionKey };
  const production = createPetstore(shared);
  const staging = createPetstore({ ...shared, environment: "staging" });
  const { client } = production;

  const speak = (petstore: Petstore, base: string, address: string): Api =>
    api({
      base,
      fetch: async (request) => {
        const response = await petstore.fetch(request, { address });
        witness(request, response);
        return response;
      },
    });
  const anyone = speak(production, PRODUCTION, "203.0.113.1");
  const anyoneInStaging = speak(staging, STAGING, "203.0.113.1");
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 3; turn++) await Bun.sleep(0);
  };

  const keyOf = async (
    accountId: string,
    { environment = "production", ...options }: KeyOptions = {},
  ): Promise<Holder> => {
    const issued = must(await client.keys.create({ accountId, environment, ...options }));
    return holder(issued.view.id, issued.token, environment === "production");
  };
  const holder = (id: string, token: string, inProduction = true): Holder => ({
    id,
    token,
    api: (inProduction ? anyone : anyoneInStaging).as(token),
  });

  const account = async ({
    plan,
    limits,
    scopes = allScopes,
  }: AccountOptions = {}): Promise<Shelter> => {
    const given = plan === undefined ? { perMinute: 100_000, perDay: 1_000_000 } : undefined;
    const agreed = limits ?? given;
    const { id: accountId } = must(
      await client.accounts.create({
        name: "A shelter",
        plan: plan ?? "enterprise",
        ...(agreed === undefined ? {} : { limits: agreed }),
      }),
    );
    const first = await keyOf(accountId, { scopes });
    return {
      ...first,
      accountId,
      key: (options) => keyOf(accountId, options),
      changePlan: async (next, numbers) => {
        must(
          await client.accounts.changePlan({
            accountId,
            plan: next,
            ...(numbers === undefined ? {} : { limits: numbers }),
          }),
        );
      },
      suspend: async () => void must(await client.accounts.suspend(accountId)),
      resume: async () => void must(await client.accounts.resume(accountId)),
      revoke: async (keyId) => void must(await client.keys.revoke(keyId)),
      rotate: async (keyId, overlapMs) => {
        const issued = must(
          await client.keys.rotate({ keyId, ...(overlapMs === undefined ? {} : { overlapMs }) }),
        );
        return holder(issued.view.id, issued.token);
      },
      unban: async (keyId) => void must(await client.keys.unban(keyId)),
    };
  };

  return {
    env: {
      anyone,
      staging: anyoneInStaging,
      from: (address) => speak(production, PRODUCTION, address),
      account,
      inside: {
        clock,
        pass: async (ms) => {
          clock.advance(ms);
          await production.jobs.tick();
          await staging.jobs.tick();
          await settle();
        },
        fail: (error, when) => fragileStore.fail(error, when),
        hold: (method) => fragileStore.hold(method),
        mend: () => fragileStore.mend(),
      },
      socket: () => Promise.reject(new Error("there is no socket in process")),
    },
    close: async () => {
      fragileStore.mend();
      await production.close();
      await staging.close();
      await store.close();
    },
  };
}

/** What an action made; fails when it was refused. */
export function must<Value>(result: Result<Value, unknown>): Value {
  if (!result.ok) throw new Error(`refused: ${JSON.stringify(result.failure)}`);
  return result.value;
}
