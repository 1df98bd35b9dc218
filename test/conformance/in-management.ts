import type { Api } from "../helpers/api.ts";
import { openOffice } from "../helpers/management.ts";
import type { Env } from "./case.ts";
import { must } from "./shelter.ts";

/** The management API, at the addresses of the public one. Accounts are used by their staff. */
export async function inManagement(): Promise<{
  readonly env: Env;
  readonly close: () => Promise<void>;
}> {
  const office = await openOffice();
  const shared = {
    account: async () => {
      const { id } = must(await office.petstore.client.accounts.create({ name: "A shelter" }));
      return { accountId: id, api: translated(office.as("staff", id), id) };
    },
    inside: {
      pass: async (ms: number) => {
        office.clock.advance(ms);
        await office.petstore.jobs.tick();
      },
    },
  };
  return {
    // Cases about both APIs use no other members.
    env: shared as unknown as Env,
    close: async () => {
      await office.management.close();
      await office.petstore.close();
    },
  };
}

/** Sends requests to `/v1` to the account's catalogue in the management API instead. */
function translated(api: Api, accountId: string): Api {
  const root = `/manage/v1/accounts/${accountId}/production/`;
  const at = (path: string): string => path.replace(/^\/v1\/(?:store\/)?/, root);
  return {
    get: (path, ...more) => api.get(at(path), ...more),
    post: (path, ...more) => api.post(at(path), ...more),
    patch: (path, ...more) => api.patch(at(path), ...more),
    delete: (path, ...more) => api.delete(at(path), ...more),
    raw: (method, path, ...more) => api.raw(method, at(path), ...more),
    as: () => {
      throw new Error("The management API has no API keys.");
    },
  };
}
