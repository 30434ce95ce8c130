/** Processor time of this process in milliseconds: a busy machine does not shorten the look. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
