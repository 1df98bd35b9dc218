import { MAX_UNFINISHED_OF_PROCESS, type DeployProgress } from "./model/deploy.ts";

/** Tracks the unfinished deploys of this process and the listeners to their progress. */
export interface UnfinishedDeploys {
  /** Registers a deploy; undefined if too many are unfinished. */
  begin(progress: DeployProgress): UnfinishedDeploy | undefined;
  /** Calls `listener` immediately and on every change, until the returned function is called. */
  watch(deployId: string, listener: (progress: DeployProgress) => void): () => void;
  /** Resolves when no deploy is unfinished. */
  idle(): Promise<void>;
}

export interface UnfinishedDeploy {
  report(change: Partial<DeployProgress>): void;
  /** Reports the last change and frees the deploy's place. */
  end(change: Partial<DeployProgress>): void;
}

export function createUnfinishedDeploys(): UnfinishedDeploys {
  const unfinished = new Map<string, DeployProgress>();
  let waiting: (() => void)[] = [];
  const listeners = new Map<string, Set<(progress: DeployProgress) => void>>();

  return {
    begin: (first) => {
      if (unfinished.size >= MAX_UNFINISHED_OF_PROCESS) return undefined;
      const { deployId } = first;
      let progress = first;
      unfinished.set(deployId, progress);
      const report = (change: Partial<DeployProgress>): void => {
        progress = { ...progress, ...change };
        if (unfinished.has(deployId)) unfinished.set(deployId, progress);
        for (const listener of listeners.get(deployId) ?? []) listener(progress);
      };
      return {
        report,
        end: (change) => {
          unfinished.delete(deployId);
          report(change);
          if (unfinished.size > 0) return;
          for (const resolve of waiting) resolve();
          waiting = [];
        },
      };
    },
    watch: (deployId, listener) => {
      const progress = unfinished.get(deployId);
      if (progress !== undefined) listener(progress);
      const heard = listeners.get(deployId) ?? new Set();
      listeners.set(deployId, heard.add(listener));
      return () => {
        heard.delete(listener);
        if (heard.size === 0 && listeners.get(deployId) === heard) listeners.delete(deployId);
      };
    },
    idle: () =>
      unfinished.size === 0
        ? Promise.resolve()
        : new Promise((resolve) => {
            waiting.push(resolve);
          }),
  };
}
