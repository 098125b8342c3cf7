import { present } from '../domain/present.ts';
import { createHistory, type History } from './history.ts';
import type { ShapeName } from './reading/columns.ts';
import { parseAttempt } from './reading/parse-attempt.ts';
import { readRows } from './reading/read-rows.ts';

/** A row that could not be used. */
export interface RowFault {
  readonly line: number;
  readonly reason: string;
}

export interface ReadReport {
  readonly shape: ShapeName;
  readonly format: 'csv' | 'ndjson';
  /** Rows that hold an attempt. */
  readonly rows: number;
  readonly badRows: number;
  /** How often each reason was met. */
  readonly reasons: Readonly<Record<string, number>>;
  /** The first of them. */
  readonly firstFaults: readonly RowFault[];
  /** Rows whose time zone is none that is known: UTC was taken. */
  readonly unknownZones: number;
}

export type ReadHistory =
  | { readonly kind: 'read'; readonly history: History; readonly report: ReadReport }
  | { readonly kind: 'no_rows' }
  | {
      readonly kind: 'missing_columns';
      readonly shape: ShapeName;
      readonly missing: readonly string[];
    };

const faultsShown = 20;

/** Reads a merchant's history; every row is either taken or told of with its reason. */
export async function readHistory(input: {
  readonly path: string;
  readonly shape: ShapeName | 'auto';
  /** Of rows that name no zone. */
  readonly timeZone: string;
  progress?(read: number, total: number): void;
}): Promise<ReadHistory> {
  const builder = createHistory({ timeZone: input.timeZone });
  const reasons: Record<string, number> = {};
  const firstFaults: RowFault[] = [];
  let [badRows, unknownZones] = [0, 0];
  const fault = (line: number, reason: string): void => {
    badRows += 1;
    reasons[reason] = (reasons[reason] ?? 0) + 1;
    if (firstFaults.length < faultsShown) firstFaults.push({ line, reason });
  };
  const { path, shape, progress } = input;
  const result = await readRows(
    { path, shape },
    {
      row(values, rowShape, line) {
        const parsed = parseAttempt(values, rowShape);
        if (parsed.kind === 'fault') fault(line, parsed.reason);
        else if (!builder.add(parsed.attempt)) unknownZones += 1;
      },
      fault,
      ...present({ progress }),
    },
  );
  if (result.kind !== 'read') return result;
  const history = builder.finish();
  const rows = history.attempts;
  const { format } = result;
  const report = { shape: result.shape, format, rows, badRows, reasons, firstFaults, unknownZones };
  return { kind: 'read', history, report };
}
