/** A table's row; texts such as `constructor` must not find what every object inherits. */
export function ownValue<Row>(table: Readonly<Record<string, Row>>, key: string): Row | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
