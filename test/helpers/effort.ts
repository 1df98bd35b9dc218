/** Returns the processor time of some work in milliseconds, independent of the machine's other load. */
export async function effortMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
