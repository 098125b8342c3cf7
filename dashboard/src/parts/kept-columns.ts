import { type RefObject, useEffect, useLayoutEffect, useState } from 'react';

interface Measured {
  readonly rows: readonly object[];
  readonly columns: readonly object[];
  readonly frameWidthPx: number;
  /** Of each column; none where rows are cards. */
  readonly widthsPx: readonly number[];
}

export interface KeptColumns {
  /** The columns are to be measured now, by all rows: they are drawn once, whichever are seen. */
  readonly isMeasuring: boolean;
  readonly widthsPx: readonly number[];
}

/**
 * The widths of a table's columns where only the rows that are seen are drawn: without, each row that
 * comes into sight moves them all. Measured anew where the rows are others, where the columns are, since names may
 * come after the rows that are named by them, and where the frame's width changes.
 */
export function useKeptColumns(
  frame: RefObject<HTMLElement | null>,
  {
    rows,
    columns,
    isVirtual,
  }: {
    readonly rows: readonly object[];
    readonly columns: readonly object[];
    readonly isVirtual: boolean;
  },
): KeptColumns {
  const [measured, setMeasured] = useState<Measured>();
  const isMeasuring = isVirtual && (measured?.rows !== rows || measured.columns !== columns);

  useLayoutEffect(() => {
    const table = frame.current?.querySelector('table');
    if (!isMeasuring || frame.current === null || table == null) return;
    const isCards = getComputedStyle(table).display === 'block';
    const heads = isCards ? [] : [...table.querySelectorAll('thead th')];
    setMeasured({
      rows,
      columns,
      frameWidthPx: frame.current.clientWidth,
      widthsPx: heads.map((head) => head.getBoundingClientRect().width),
    });
  }, [frame, rows, columns, isMeasuring]);

  useEffect(() => {
    const { current } = frame;
    if (!isVirtual || current === null) return;
    const watch = new ResizeObserver(() =>
      setMeasured((was) => (was?.frameWidthPx === current.clientWidth ? was : undefined)),
    );
    watch.observe(current);
    return () => watch.disconnect();
  }, [frame, isVirtual]);

  return { isMeasuring, widthsPx: isMeasuring ? [] : (measured?.widthsPx ?? []) };
}
