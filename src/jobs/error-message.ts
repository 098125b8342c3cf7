/**
 * An error as a log may show it: its message alone, which carries no row's values. pg-boss also
 * reports plain objects that have one.
 */
export function errorMessage(error: unknown): string {
  const hasMessage = typeof error === 'object' && error !== null && 'message' in error;
  return hasMessage && typeof error.message === 'string' ? error.message : 'an unknown fault';
}
