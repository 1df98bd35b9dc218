/** Runs a write together with those of other connections. */
export type Together = (write: () => void) => void;

/** No client waits for more than this many others. */
const MOST = 16;

/**
 * Collects writes until `defer` calls back, which must be when all connections that are ready were read, or until there
 * are 16 of them. Writing each response at once takes twice the CPU time over TLS: encryption, the system and our code
 * displace each other from the processor's caches, and a local client, such as a proxy, is woken for every response.
 */
export function together(defer: (flush: () => void) => void): Together {
  let waiting: (() => void)[] = [];
  let deferred = false;
  const flush = (): void => {
    const writes = waiting;
    waiting = [];
    const thrown: unknown[] = [];
    for (const write of writes) {
      try {
        write();
      } catch (error) {
        // The other connections get their responses.
        thrown.push(error);
      }
    }
    if (thrown.length > 0) throw thrown[0];
  };
  return (write) => {
    waiting.push(write);
    if (waiting.length === MOST) flush();
    if (deferred) return;
    deferred = true;
    defer(() => {
      deferred = false;
      flush();
    });
  };
}
