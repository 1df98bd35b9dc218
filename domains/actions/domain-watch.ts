/** Wakes those who watch a domain when any process changes it, so that they need not read it all the time. */
export interface DomainWatch {
  /** Calls `onChange` whenever the domain may have changed. Returns the function that ends this. */
  readonly watch: (domainId: string, onChange: () => void) => () => void;
  /** Called when a domain has changed; without an ID, when any of them may have. */
  readonly changed: (domainId?: string) => void;
}

export function createDomainWatch(): DomainWatch {
  const watching = new Map<string, Set<() => void>>();
  return {
    watch: (domainId, onChange) => {
      // An object of its own: the same function may watch twice.
      const listener = (): void => onChange();
      const listeners = watching.get(domainId) ?? new Set();
      watching.set(domainId, listeners.add(listener));
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0 && watching.get(domainId) === listeners) watching.delete(domainId);
      };
    },
    changed: (domainId) => {
      const concerned = domainId === undefined ? watching.values() : [watching.get(domainId)];
      for (const listeners of concerned) for (const listener of listeners ?? []) listener();
    },
  };
}
