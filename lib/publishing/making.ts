import { MAX_MAKING_OF_PROCESS, type DeployProgress } from "./model/deploy.ts";

/** The deploys that this process is making, and whoever wants to know how far they are. */
export interface Making {
  /** Takes a place, which `progress` and `end` give news of; undefined when there is none left. */
  begin(progress: DeployProgress): MakingDeploy | undefined;
  /** Calls `listener`, at once with how far it is and then with all news, until the function returned is called. */
  watch(deployId: string, listener: (progress: DeployProgress) => void): () => void;
  /** Resolves when none is being made. */
  idle(): Promise<void>;
}

export interface MakingDeploy {
  tell(news: Partial<DeployProgress>): void;
  /** The last news; the place is free again. */
  end(news: Partial<DeployProgress>): void;
}

export function createMaking(): Making {
  const making = new Map<string, DeployProgress>();
  let waiting: (() => void)[] = [];
  const listeners = new Map<string, Set<(progress: DeployProgress) => void>>();

  return {
    begin: (first) => {
      if (making.size >= MAX_MAKING_OF_PROCESS) return undefined;
      const { deployId } = first;
      let progress = first;
      making.set(deployId, progress);
      const tell = (news: Partial<DeployProgress>): void => {
        progress = { ...progress, ...news };
        if (making.has(deployId)) making.set(deployId, progress);
        for (const listener of listeners.get(deployId) ?? []) listener(progress);
      };
      return {
        tell,
        end: (news) => {
          making.delete(deployId);
          tell(news);
          if (making.size > 0) return;
          for (const resolve of waiting) resolve();
          waiting = [];
        },
      };
    },
    watch: (deployId, listener) => {
      const progress = making.get(deployId);
      if (progress !== undefined) listener(progress);
      const heard = listeners.get(deployId) ?? new Set();
      listeners.set(deployId, heard.add(listener));
      return () => {
        heard.delete(listener);
        if (heard.size === 0 && listeners.get(deployId) === heard) listeners.delete(deployId);
      };
    },
    idle: () =>
      making.size === 0
        ? Promise.resolve()
        : new Promise((resolve) => {
            waiting.push(resolve);
          }),
  };
}
