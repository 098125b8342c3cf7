/** The system's short name of a failed call, such as ENOENT; undefined for any other error. */
export function systemErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** The words of an error on one line. */
export function oneLine(error: unknown): string {
  const words = error instanceof Error ? error.message : String(error);
  return words.replaceAll(/\s*\n\s*/g, ' ').trim();
}
