import { MAX_MAKING_OF_PROCESS, type DeployProgress } from "./model/deploy.ts";

/** The deploys in progress in this process, and the listeners of their progress. */
export interface Making {
  /** Registers a deploy; undefined when too many are in progress. */
  begin(progress: DeployProgress): MakingDeploy | undefined;
  /** Calls `listener` at once with the current progress, then with every change, until the returned function is called. */
  watch(deployId: string, listener: (progress: DeployProgress) => void): () => void;
  /** Resolves when no deploy is in progress. */
  idle(): Promise<void>;
}

export interface MakingDeploy {
  report(change: Partial<DeployProgress>): void;
  /** Reports the last change and frees the deploy's place. */
  end(change: Partial<DeployProgress>): void;
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
      const report = (change: Partial<DeployProgress>): void => {
        progress = { ...progress, ...change };
        if (making.has(deployId)) making.set(deployId, progress);
        for (const listener of listeners.get(deployId) ?? []) listener(progress);
      };
      return {
        report,
        end: (change) => {
          making.delete(deployId);
          report(change);
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
