/** Milliseconds of processor time that some work takes; what else the machine is at in the meantime does not count. */
export async function effortMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
