/** An address by TCP, for tests that put other hosts and ports into it: the folder of socket files comes before them. */
export function byTcp(connectionString: string): string {
  const url = new URL(connectionString);
  url.searchParams.delete('host');
  return url.href;
}
