import type { ActionContext } from "./accounts/context.ts";
import { once } from "./base/eventual.ts";
import type { LocalClient } from "./local-client.ts";
import type { Environment } from "./model/account.ts";

/** Returns a client whose code is loaded when it is first used, because many processes only answer requests. */
export function lateClient(context: ActionContext, served: Environment): LocalClient {
  const own = once(async () => {
    const { createLocalClient } = await import("./local.ts");
    return createLocalClient(context, served);
  });
  return {
    accounts: {
      create: async (...call) => (await own()).accounts.create(...call),
      byId: async (...call) => (await own()).accounts.byId(...call),
      list: async (...call) => (await own()).accounts.list(...call),
      default: async (...call) => (await own()).accounts.default(...call),
      rename: async (...call) => (await own()).accounts.rename(...call),
      changePlan: async (...call) => (await own()).accounts.changePlan(...call),
      suspend: async (...call) => (await own()).accounts.suspend(...call),
      resume: async (...call) => (await own()).accounts.resume(...call),
      delete: async (...call) => (await own()).accounts.delete(...call),
    },
    keys: {
      create: async (...call) => (await own()).keys.create(...call),
      list: async (...call) => (await own()).keys.list(...call),
      rotate: async (...call) => (await own()).keys.rotate(...call),
      rename: async (...call) => (await own()).keys.rename(...call),
      revoke: async (...call) => (await own()).keys.revoke(...call),
      unban: async (...call) => (await own()).keys.unban(...call),
    },
    limits: {
      read: async (...call) => (await own()).limits.read(...call),
    },
    pets: {
      byId: async (...call) => (await own()).pets.byId(...call),
      create: async (...call) => (await own()).pets.create(...call),
      update: async (...call) => (await own()).pets.update(...call),
      delete: async (...call) => (await own()).pets.delete(...call),
      restore: async (...call) => (await own()).pets.restore(...call),
      import: async (...call) => (await own()).pets.import(...call),
      page: async (...call) => (await own()).pets.page(...call),
    },
    categories: {
      list: async (...call) => (await own()).categories.list(...call),
      byId: async (...call) => (await own()).categories.byId(...call),
      create: async (...call) => (await own()).categories.create(...call),
      rename: async (...call) => (await own()).categories.rename(...call),
      delete: async (...call) => (await own()).categories.delete(...call),
    },
  };
}
