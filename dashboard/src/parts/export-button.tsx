import { useEffect, useRef, useState } from 'react';
import { type ExportFormat, exportFormats, exportList } from '../api/export-list.ts';
import type { Query } from '../api/request.ts';
import { ActButton } from './act-button.tsx';
import { Choice } from './choice.tsx';
import { count } from './count.ts';
import { Dialog } from './dialog.tsx';
import { FormError } from './form-error.tsx';
import { saveAs } from './save-as.ts';
import { useToast } from './toasts.tsx';

interface Props {
  /** The list's path in the operator API. */
  readonly list: string;
  /** What narrows the page's rows narrows the file's. */
  readonly filters: Query;
  /** Which of a page's lists, where it has several: `payment methods`. */
  readonly of?: string;
  /** The newest rows that the list has at most, where it has no further page. */
  readonly most?: number;
}

/** Takes all rows of a list away as a file, by the filters of the page. */
export function ExportButton({ list, filters, of, most }: Props) {
  const [open, setOpen] = useState(false);
  const title = of === undefined ? 'Export' : `Export: ${of}`;
  return (
    <>
      <button type="button" className="button" aria-label={title} onClick={() => setOpen(true)}>
        Export
      </button>
      <Dialog open={open} title={title} onClose={() => setOpen(false)}>
        <Export
          list={list}
          filters={filters}
          rows={rowsText(most)}
          onClose={() => setOpen(false)}
        />
      </Dialog>
    </>
  );
}

type Work =
  | { readonly state: 'idle' | 'running' | 'done'; readonly rows: number }
  | { readonly state: 'failed'; readonly rows: number; readonly error: Error };

function rowsText(most: number | undefined): string {
  return most === undefined
    ? 'All rows of this list by its filters, not this page’s alone.'
    : `The rows of this list, the newest ${most} at most.`;
}

function Export({
  list,
  filters,
  rows,
  onClose,
}: Pick<Props, 'list' | 'filters'> & { readonly rows: string; readonly onClose: () => void }) {
  const [format, setFormat] = useState<ExportFormat>('csv');
  const { work, begin } = useExport(list, filters);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void begin(format);
      }}
    >
      <p>{rows} The audit log notes it.</p>
      <Choice
        label="Format"
        form="above"
        value={format}
        options={Object.entries(exportFormats).map(([value, label]) => ({ value, label }))}
        onChange={(next) => setFormat(next as ExportFormat)}
      />
      <p role="status">{progressOf(work)}</p>
      <FormError error={work.state === 'failed' ? work.error : null} />
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onClose}>
          {work.state === 'running' ? 'Cancel' : 'Close'}
        </button>
        <ActButton type="submit" className="button primary" isBusy={work.state === 'running'}>
          Download
        </ActButton>
      </div>
    </form>
  );
}

function progressOf({ state, rows }: Work): string {
  if (state === 'idle' || state === 'failed') return '';
  const words = count(rows, 'row', 'rows');
  return state === 'running' ? `${words} so far…` : `${words} saved.`;
}

function useExport(list: string, filters: Query) {
  const [work, setWork] = useState<Work>({ state: 'idle', rows: 0 });
  const running = useRef<AbortController>(undefined);
  const toast = useToast();
  // However its dialog is closed: a file that nobody waits for would be a surprise.
  useEffect(() => () => running.current?.abort(), []);
  const begin = async (format: ExportFormat): Promise<void> => {
    const stop = new AbortController();
    running.current = stop;
    let rows = 0;
    const onRows = (now: number): void => {
      rows = now;
      setWork({ state: 'running', rows });
    };
    onRows(0);
    try {
      const { signal } = stop;
      const blob = await exportList({ list, filters, format, signal, onRows });
      saveAs(blob, `${list.split('/').at(-1)}.${format}`);
      setWork({ state: 'done', rows });
    } catch (error) {
      if (stop.signal.aborted) {
        toast('The export is cancelled, so nothing is saved.');
        return;
      }
      setWork({ state: 'failed', rows, error: asCutOff(error) });
    }
  };
  return { work, begin };
}

function asCutOff(error: unknown): Error {
  return error instanceof TypeError
    ? new Error('The answer was cut off, so rows are missing and nothing was saved. Try again.')
    : (error as Error);
}
