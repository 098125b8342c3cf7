/** What a text is told that names none. */
export const noZoneText = 'Input should be a zone, such as Europe/Berlin';

/** Whether a text names a zone of the IANA database, such as `Europe/Berlin`. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
