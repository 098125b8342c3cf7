import { RecoupApiError, RecoupConnectionError } from './api-error.ts';
import type { CallOptions } from './call-options.ts';
import type { AnalyticsRecord, CreateAnalyticsBatchAnswer } from './generated/disputes.ts';
import type { OpenAnswer, Transport } from './transport.ts';
import { waitBefore } from './wait-before.ts';

/** What became of one analytics record: its id once it is durable, or what is wrong with it. */
export type AnalyticsRowResult =
  | { readonly row: number; readonly id: string }
  | {
      readonly row: number;
      readonly detail: Exclude<CreateAnalyticsBatchAnswer['detail'], string | undefined>;
    };

/**
 * Submits any number of analytics records, in as many requests as it takes, and gives each one's
 * result, in order, as soon as it is known. `row` counts the analytics records from 1. After a
 * broken connection it goes on where the answers ended; throws when the service does not get any
 * further.
 */
export type AnalyticsBatch = (
  analyticsRecords: Iterable<AnalyticsRecord> | AsyncIterable<AnalyticsRecord>,
  options?: CallOptions,
) => AsyncGenerator<AnalyticsRowResult>;

/** What one request may hold, by the disputes API. */
const maxRows = 10_000;
const maxBytes = 16 * 1_048_576;

/** Batches over a transport; each is cut where a request would have more than the API takes. */
export function analyticsBatch(transport: Transport): AnalyticsBatch {
  return async function* (analyticsRecords, options = {}) {
    let before = 0;
    for await (const lines of batchesOf(analyticsRecords)) {
      for await (const result of submit(transport, lines, options)) {
        yield { ...result, row: before + result.row };
      }
      before += lines.length;
    }
  };
}

async function* batchesOf(
  analyticsRecords: Iterable<AnalyticsRecord> | AsyncIterable<AnalyticsRecord>,
): AsyncGenerator<readonly string[]> {
  const encoder = new TextEncoder();
  let lines: string[] = [];
  let bytes = 0;
  for await (const analyticsRecord of analyticsRecords) {
    const line = `${JSON.stringify(analyticsRecord)}\n`;
    const size = encoder.encode(line).length;
    if (lines.length > 0 && (lines.length === maxRows || bytes + size > maxBytes)) {
      yield lines;
      [lines, bytes] = [[], 0];
    }
    lines.push(line);
    bytes += size;
  }
  if (lines.length > 0) yield lines;
}

/** One batch, sent again from the first row without an answer as long as that brings it further. */
async function* submit(
  transport: Transport,
  lines: readonly string[],
  options: CallOptions,
): AsyncGenerator<AnalyticsRowResult> {
  const { deps } = transport;
  let answered = 0;
  for (let tries = 1; ; tries += 1) {
    try {
      for await (const result of answersOf(transport, lines, answered + 1, options)) {
        answered = result.row;
        tries = 1;
        yield result;
      }
      if (answered >= lines.length) return;
      throw new RecoupConnectionError('network');
    } catch (error) {
      const delayMs = waitBefore(deps, { error, tries, isRepeatable: true });
      if (delayMs === undefined) throw error;
      await deps.sleep(delayMs, options.signal);
    }
  }
}

async function* answersOf(
  transport: Transport,
  lines: readonly string[],
  fromRow: number,
  options: CallOptions,
): AsyncGenerator<AnalyticsRowResult> {
  const outgoing = {
    method: 'POST',
    path: `/v1/analytics/batch?from_row=${fromRow}`,
    headers: { 'content-type': 'application/x-ndjson', accept: 'application/x-ndjson' },
    body: lines.join(''),
  };
  const opened = await transport.open(outgoing, options);
  const { response, close } = opened;
  try {
    for await (const line of linesOf(opened)) {
      const answer = JSON.parse(line) as CreateAnalyticsBatchAnswer;
      yield resultOf(answer, response);
    }
  } finally {
    close();
    // Reached early when the caller leaves the loop: the service need not read on.
    await response.body?.cancel().catch(() => undefined);
  }
}

/**
 * Throws for a detail that is a text: the service could not go on, and nothing of the row is kept.
 */
function resultOf(answer: CreateAnalyticsBatchAnswer, response: Response): AnalyticsRowResult {
  const { row, id, detail } = answer;
  if (id !== undefined) return { row, id };
  if (detail !== undefined && typeof detail !== 'string') return { row, detail };
  throw new RecoupApiError({
    code: 'server_error',
    status: 503,
    message: detail ?? 'The batch ended early',
    requestId: response.headers.get('request-id') ?? '',
  });
}

/** The lines of a body while it comes; a last one without its end was cut off and is left out. */
async function* linesOf({ response, touch, errorOf }: OpenAnswer): AsyncGenerator<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: '' };
      if (done) return;
      touch();
      const parts = `${rest}${value}`.split('\n');
      rest = parts.pop() ?? '';
      yield* parts.filter((part) => part !== '');
    }
  } catch (error) {
    throw errorOf(error);
  } finally {
    await reader?.cancel().catch(() => undefined);
  }
}
