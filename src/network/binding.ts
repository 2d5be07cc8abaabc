/**
 * What Node builds one of its modules on. The handles of sockets and processes have no other door.
 *
 * @returns Nothing where Node keeps it to itself, as under `--permission`.
 */
export function binding<T>(name: string): T | undefined {
  const { noDeprecation } = process;
  // It warns under --pending-deprecation.
  process.noDeprecation = true;
  try {
    return (process as unknown as { binding(name: string): T }).binding(name);
  } catch {
    return undefined;
  } finally {
    process.noDeprecation = noDeprecation ?? false;
  }
}
