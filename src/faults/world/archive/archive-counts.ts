import type { ChangedRows } from '../../database/simulated-session.ts';

/** How many payments a run moved into the archive and out of it: where none is, nothing was proved of either. */
export interface ArchiveCounts {
  packed: number;
  /** By a word of a PSP that came late. */
  putBackByAnswer: number;
  /** To send one of its webhooks again. */
  putBackToSend: number;
}

/** Counts along with each transaction of the service that took effect. */
export function createArchiveCounts(): {
  readonly counts: Readonly<ArchiveCounts>;
  add(changes: readonly ChangedRows[]): void;
} {
  const counts: ArchiveCounts = { packed: 0, putBackByAnswer: 0, putBackToSend: 0 };
  return {
    counts,
    add(changes) {
      const rowsOf = (name: string) =>
        changes.reduce((sum, change) => sum + (change.name === name ? change.rows : 0), 0);
      counts.packed += rowsOf('insert_archived_payments');
      const putBack = rowsOf('remove_archived_payment');
      const isSent = changes.some(({ name }) => name === 'redeliver_event');
      counts[isSent ? 'putBackToSend' : 'putBackByAnswer'] += putBack;
    },
  };
}
