/**
 * A Chromium under LANG=C calls its language `en-US@posix`, which Intl refuses. The chart library
 * hands it to Intl while it is loaded, and no page with a chart would open.
 */
export function mendLanguage(viewer: Navigator): void {
  try {
    Intl.getCanonicalLocales(viewer.language);
  } catch {
    const value = new Intl.NumberFormat().resolvedOptions().locale;
    Object.defineProperty(viewer, 'language', { value });
  }
}
