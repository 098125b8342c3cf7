const numbers = new Intl.NumberFormat();

/** A whole number as the viewer's language writes it. */
export function formatCount(number: number): string {
  return numbers.format(number);
}

/** A number with its word: `1 try`, `3 tries`. */
export function count(number: number, one: string, many: string): string {
  return `${formatCount(number)} ${number === 1 ? one : many}`;
}
