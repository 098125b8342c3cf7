const numbers = new Intl.NumberFormat();

/** A number with its word: `1 try`, `3 tries`. */
export function count(number: number, one: string, many: string): string {
  return `${numbers.format(number)} ${number === 1 ? one : many}`;
}
