import type { TSchema } from 'typebox';
import { decimalText, minorFromDecimal } from '../../domain/money.ts';
import { textCell } from './csv-text.ts';

/** One column of a list as CSV. */
export interface Column {
  /** The field's name; of a field within another one `ours.state`. */
  readonly name: string;
  /** The cell of a row. A value that is not there is an empty one. */
  cell(row: unknown): string;
}

type Fields = Readonly<Record<string, unknown>>;

/** The columns of a list whose items have this shape: objects of known fields are spread, others are JSON. */
export function columnsOf(shape: TSchema): readonly Column[] {
  const properties = propertiesOf(shape) ?? {};
  const isMoney = 'amount' in properties && 'currency' in properties;
  return Object.entries(properties).flatMap(([name, field]) => {
    const of = (row: unknown): unknown => (row as Fields | undefined)?.[name];
    const inner = propertiesOf(field);
    if (inner !== undefined) {
      return columnsOf(field).map((column) => ({
        name: `${name}.${column.name}`,
        cell: (row: unknown) => column.cell(of(row)),
      }));
    }
    if (isMoney && name === 'amount') return { name, cell: amountCell };
    return { name, cell: (row) => valueCell(of(row)) };
  });
}

function propertiesOf(shape: TSchema): Readonly<Record<string, TSchema>> | undefined {
  return 'properties' in shape
    ? (shape.properties as Readonly<Record<string, TSchema>>)
    : undefined;
}

function valueCell(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return textCell(typeof value === 'string' ? value : JSON.stringify(value));
}

/** All decimals of the currency: 42 USD is `42.00`. */
function amountCell(row: unknown): string {
  const { amount, currency } = (row ?? {}) as Fields;
  if (typeof amount !== 'number' || typeof currency !== 'string') return valueCell(amount);
  const minor = minorFromDecimal(amount, currency);
  return 'fault' in minor ? String(amount) : decimalText({ ...minor, currency });
}
