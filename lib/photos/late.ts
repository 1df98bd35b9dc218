import type { Photos, PhotoService } from "./photos.ts";
import type { LoadedPhotos } from "./service.ts";
import { forActors, type Actor } from "../model/actor.ts";
import { once } from "../base/eventual.ts";

/** Returns photos that are loaded when they are first used. */
export function latePhotos(
  load: () => Promise<LoadedPhotos>,
  contextOf: (actor: Actor) => Parameters<LoadedPhotos["of"]>[0],
): PhotoService {
  return {
    ...forActors((actor): Photos => {
      const own = once(async () => (await load()).of(contextOf(actor)));
      return {
        list: async (...call) => (await own()).list(...call),
        add: async (...call) => (await own()).add(...call),
        change: async (...call) => (await own()).change(...call),
        order: async (...call) => (await own()).order(...call),
        remove: async (...call) => (await own()).remove(...call),
      };
    }),
    files: {
      answer: async (...call) => (await load()).files.answer(...call),
      read: async (...call) => (await load()).files.read(...call),
    },
  };
}
