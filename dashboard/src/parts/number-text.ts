/** A number as the viewer's language writes it, a minus as a true minus sign, `−`. */
export function numberText(options: Intl.NumberFormatOptions = {}): (value: number) => string {
  // Without `negative` what is rounded to nothing would be `-0`.
  const form = new Intl.NumberFormat(undefined, { signDisplay: 'negative', ...options });
  return (value) =>
    value < 0
      ? form
          .formatToParts(value)
          .map(({ type, value: part }) => (type === 'minusSign' ? '−' : part))
          .join('')
      : form.format(value);
}

/** A change with its sign: `+$3.00`, `−2.1 pp`; one that rounds to nothing has none. */
export function signedText(value: number, format: (value: number) => string): string {
  const size = format(Math.abs(value));
  if (size === format(0)) return size;
  return value < 0 ? `−${size}` : `+${size}`;
}
