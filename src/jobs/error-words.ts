/** An error as a log may show it: its message alone, which carries no row's values. */
export function errorWords(error: unknown): string {
  return error instanceof Error ? error.message : 'an unknown fault';
}
