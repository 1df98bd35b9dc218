/**
 * The second thread of the watchdog. The compiled program embeds this file as it is: it must be JavaScript, and imports
 * nothing of ours.
 */
/** Time for the line: the pipe of stderr may be full, which must not keep the process alive. */
const WRITE_MS = 500;
const STDERR = 2;

self.addEventListener("message", ({ data }) => {
  const { beats, longSteps, stalls, nothing, tickMs, stallTicks, limitTicks, line, epoch } = data;
  let seen = -1;
  let missed = 0;
  for (;;) {
    // Returns once however long the machine or the process was suspended: ticks are counted, and not time.
    Atomics.wait(nothing, 0, 0, tickMs);
    const beat = Number(Atomics.load(beats, 0));
    missed = beat === seen && Number(Atomics.load(longSteps, 0)) === 0 ? missed + 1 : 0;
    seen = beat;
    if (missed === stallTicks) Atomics.add(stalls, 0, 1);
    if (missed < limitTicks) continue;
    // Loaded now: it takes memory.
    const { write } = process.getBuiltinModule("node:fs");
    // A clock of ours cannot be imported.
    // oxlint-disable-next-line no-restricted-globals
    write(STDERR, line.replace(epoch, new Date().toISOString()), () => {});
    Atomics.wait(nothing, 0, 0, WRITE_MS);
    // `process.exit` would wait for the thread that is frozen.
    process.kill(process.pid, "SIGABRT");
  }
});

// An import with `type: "file"` gives the path of this file, for which TypeScript takes this value.
// oxlint-disable-next-line import/no-default-export
export default "";
