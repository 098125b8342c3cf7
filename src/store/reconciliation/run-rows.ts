import { present } from '../../domain/present.ts';
import type { Psp } from '../../domain/psps.ts';
import type {
  Reconciliation,
  RunPhase,
  RunPurpose,
  RunState,
} from '../../recovery/reconciliation/reconciliation-ports.ts';

export const runColumns = `
  merchant_id, run_id, psp, connection_version, purpose, source, state, phase, since, until, place, pages,
  listed::float8, settled::float8, findings::float8, detail, started_at, updated_at, ended_at`;

export interface RunRow {
  readonly merchant_id: string;
  readonly run_id: string;
  readonly psp: Psp;
  readonly connection_version: number;
  readonly purpose: RunPurpose;
  readonly source: 'api' | 'report';
  readonly state: RunState;
  readonly phase: RunPhase;
  readonly since: Date;
  readonly until: Date;
  readonly place: readonly string[];
  readonly pages: number;
  readonly listed: number;
  readonly settled: number;
  readonly findings: number;
  readonly detail: string | null;
  readonly started_at: Date;
  readonly updated_at: Date;
  readonly ended_at: Date | null;
}

export function toRun(row: RunRow): Reconciliation {
  return {
    merchantId: row.merchant_id,
    runId: row.run_id,
    psp: row.psp,
    connectionVersion: row.connection_version,
    purpose: row.purpose,
    source: row.source,
    state: row.state,
    phase: row.phase,
    since: row.since,
    until: row.until,
    place: row.place,
    pages: row.pages,
    listed: row.listed,
    settled: row.settled,
    findings: row.findings,
    ...present({ detail: row.detail ?? undefined }),
    startedAt: row.started_at,
    updatedAt: row.updated_at,
    ...present({ endedAt: row.ended_at ?? undefined }),
  };
}
