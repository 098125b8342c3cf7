import { createElement } from 'react';
import { Clipped } from './clipped.tsx';
import type { Column } from './data-table.tsx';

/** Whose a row is, by name once names are there. */
export function merchantColumn(
  names: ReadonlyMap<string, string> | undefined,
): Column<{ readonly merchant_id: string }> {
  return {
    name: 'Merchant',
    cell: ({ merchant_id: id }) => createElement(Clipped, { text: names?.get(id) ?? id }),
  };
}
