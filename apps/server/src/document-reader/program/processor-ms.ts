/** Returns the processor time of this process in milliseconds. Unlike the clock, it does not run while other programs do. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
