import { type Query, stream } from './request.ts';

export const exportFormats = {
  csv: 'CSV, for spreadsheets',
  ndjson: 'JSON, an object a line',
} as const;
export type ExportFormat = keyof typeof exportFormats;

/**
 * All rows of a list by its filters. The browser keeps them where it keeps files; `onRows` is told how
 * many have come. @throws ApiError, and TypeError where the answer was cut off
 */
export async function exportList(input: {
  readonly list: string;
  readonly filters: Query;
  readonly format: ExportFormat;
  readonly signal: AbortSignal;
  onRows(count: number): void;
}): Promise<Blob> {
  const { list, filters, format, signal, onRows } = input;
  const query = { ...filters, cursor: undefined, limit: undefined, format };
  const response = await stream(list.replace('/api/', '/api/export/'), query, signal);
  let lines = 0;
  const counted = response.body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        for (const byte of chunk) if (byte === lineEnd) lines += 1;
        onRows(format === 'csv' ? Math.max(0, lines - 1) : lines);
        controller.enqueue(chunk);
      },
    }),
  );
  return new Response(counted, { headers: { 'content-type': 'text/plain' } }).blob();
}

const lineEnd = 10;
