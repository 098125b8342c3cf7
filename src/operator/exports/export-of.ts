import { Readable } from 'node:stream';
import { type TSchema, Type } from 'typebox';
import { present } from '../../domain/present.ts';
import {
  type Asked,
  defineEndpoint,
  type GuardedEndpoint,
} from '../../http/endpoint/define-endpoint.ts';
import { exampleOf } from '../../http/endpoint/example-of.ts';
import { writeBySchema } from '../../http/endpoint/write-by-schema.ts';
import { enumField } from '../../http/fields.ts';
import { allMerchants } from '../../recovery/learned/model-ports.ts';
import { createActionLog } from '../../store/admin/audit-log.ts';
import { onBehalfOf } from '../../store/pool/behalf.ts';
import { findMerchant } from '../merchants/find-merchant.ts';
import type { OperatorContext } from '../operator-deps.ts';
import { refusals } from '../shapes.ts';
import { columnsOf } from './columns-of.ts';
import { csvLine } from './csv-text.ts';
import { type ExportedList, fieldsOf, rowShapeOf } from './exported-lists.ts';

/** Rows that are in memory at once. */
const rowsPerPage = 500;

const formatField = Type.Optional(
  enumField(
    ['csv', 'ndjson'],
    'csv: a table for spreadsheets. ndjson: a JSON object in each line. Default: csv.',
  ),
);

/**
 * The export of a list: the same rows, to the last page, with the same filters, for the same callers.
 * It asks the list for page after page while its reader takes them, so that a million rows need the
 * memory of a page; what cannot be read to its end is cut off, never ended.
 */
export function exportOf(list: ExportedList): GuardedEndpoint<OperatorContext> {
  const { endpoint, path } = list;
  const shape = rowShapeOf(list);
  const { cursor, limit, ...filters } = fieldsOf(endpoint.schema?.query);
  return defineEndpoint({
    method: 'GET',
    path: path.replace('/api/', '/api/export/'),
    needs: endpoint.needs,
    docs: { id: list.id, tag: 'Exports', summary: list.summary, description: descriptionOf(list) },
    schema: {
      ...present({ path: endpoint.schema?.path }),
      query: Type.Object({ ...filters, format: formatField }, { additionalProperties: false }),
    },
    answers: {
      200: {
        description: 'The rows, as CSV (RFC 4180) or with `format=ndjson` as JSON lines.',
        mediaType: 'text/csv',
        schema: Type.String(),
        example: exampleText(shape),
      },
      ...refusals(400),
      ...(path.includes('{') ? refusals(404) : {}),
    },
    async answer(asked: Asked, context: OperatorContext) {
      const { format = 'csv', ...given } = asked.query as unknown as ExportQuery;
      const room = context.exports.takeRoom(context.caller);
      try {
        const merchantId = await merchantOf(list, asked, context);
        const nextPage = pagesOf(list, { ...asked, query: given as never }, context);
        // Before the head of the answer, since a refusal has to be one.
        const first = await nextPage();
        await note(list, { merchantId, asked, given }, context);
        const pages = pagesFrom(first, nextPage);
        const stream = streamOf(
          format === 'csv' ? csvTexts(shape, pages) : jsonTexts(shape, pages),
        );
        room.holdFor(stream, context.caller);
        return { status: 200, body: '', stream, headers: headersOf(list, format, context.now()) };
      } catch (error) {
        room.giveBack();
        throw error;
      }
    },
  });
}

function descriptionOf({ endpoint, field }: ExportedList): string {
  const rows = field === 'items' ? 'All rows' : `The rows of \`${field}\``;
  return `${rows} of \`GET ${endpoint.path}\`, with its filters. An answer that was cut off is incomplete.`;
}

type Given = Readonly<Partial<Record<'search' | 'merchant_id', string>>>;
type ExportQuery = Given & { readonly format?: 'csv' | 'ndjson' };

type Rows = readonly unknown[];
interface Place {
  readonly next_cursor?: string;
}

/** Asks for the next page each time, and for none after the last one. */
function pagesOf(
  { endpoint, field }: ExportedList,
  asked: Asked,
  context: OperatorContext,
): () => Promise<Rows | undefined> {
  const isPaged = 'cursor' in fieldsOf(endpoint.schema?.query);
  let cursor: string | undefined;
  let isDone = false;
  return async () => {
    if (isDone) return undefined;
    const place = isPaged ? { limit: rowsPerPage, ...present({ cursor }) } : {};
    const query = { ...(asked.query as object | undefined), ...place } as never;
    const sender = context.caller.merchantId ?? 'operator';
    const of = { sender, isRead: true, signal: asked.exchange.signal };
    const answer = await onBehalfOf(of, () => endpoint.answer({ ...asked, query }, context));
    const page = answer.content as Readonly<Record<string, unknown>> & Place;
    cursor = page.next_cursor;
    isDone = cursor === undefined;
    return page[field] as Rows;
  };
}

async function* pagesFrom(
  first: Rows | undefined,
  nextPage: () => Promise<Rows | undefined>,
): AsyncGenerator<Rows> {
  for (let page = first; page !== undefined; page = await nextPage()) {
    if (page.length > 0) yield page;
  }
}

/** It can be cut off while the next text is waited for, which `Readable.from` cannot. */
function streamOf(texts: AsyncGenerator<string>): Readable {
  const stream = new Readable({
    read() {
      texts.next().then(
        ({ done, value }) => stream.push(done === true ? null : value),
        (error: Error) => stream.destroy(error),
      );
    },
    destroy(error, done) {
      // It ends when its present wait does; nobody waits for that.
      void texts.return(undefined);
      done(error);
    },
  });
  return stream;
}

async function* csvTexts(shape: TSchema, pages: AsyncIterable<Rows>) {
  const columns = columnsOf(shape);
  yield csvLine(columns.map(({ name }) => name));
  for await (const rows of pages) {
    yield rows.map((row) => csvLine(columns.map((column) => column.cell(row)))).join('');
  }
}

async function* jsonTexts(shape: TSchema, pages: AsyncIterable<Rows>) {
  // By the list's shape: what it does not declare stays inside.
  const write = writeBySchema({ schema: shape });
  for await (const rows of pages) yield rows.map((row) => `${write(row)}\n`).join('');
}

/** @throws AppError not_found for a merchant that is not there */
async function merchantOf(
  { endpoint: { needs } }: ExportedList,
  { path, query }: Asked,
  { db }: Pick<OperatorContext, 'db'>,
): Promise<string> {
  const { id } = (path ?? {}) as { readonly id?: string };
  const { merchant_id: asked } = query as unknown as ExportQuery;
  const merchantId = (needs.reach === 'path' ? id : asked) ?? allMerchants;
  if (merchantId !== allMerchants) await findMerchant(db, merchantId);
  return merchantId;
}

/** Who took which rows away stands in the audit log, without the address that payers were found by. */
async function note(
  { path: list }: ExportedList,
  taken: { readonly merchantId: string; readonly asked: Asked; readonly given: Given },
  { db, now, caller }: Pick<OperatorContext, 'db' | 'now' | 'caller'>,
): Promise<void> {
  const { merchantId, asked, given } = taken;
  // The merchant stands in the line already.
  const { id: _merchant, ...of } = (asked.path ?? {}) as Readonly<Record<string, string>>;
  const { search, ...rest } = given;
  const isAddress = search?.includes('@') === true;
  const filters = { ...of, ...(isAddress ? { ...rest, search: 'an e-mail address' } : given) };
  const whole = { list, filters };
  const { merchants } = caller;
  const isOfSome = merchantId === allMerchants && merchants !== undefined;
  const detail = isOfSome ? { ...whole, merchants } : whole;
  const audit = { action: 'list.exported', detail, at: now() };
  await createActionLog(db).noteAction({ merchantId, audit });
}

function headersOf(
  { path }: ExportedList,
  format: 'csv' | 'ndjson',
  now: Date,
): Record<string, string> {
  const name = path.split('/').at(-1);
  const day = now.toISOString().slice(0, 10);
  return {
    'content-type':
      format === 'csv' ? 'text/csv; charset=utf-8; header=present' : 'application/x-ndjson',
    'content-disposition': `attachment; filename="${name}-${day}.${format}"`,
  };
}

function exampleText(shape: TSchema): string {
  const columns = columnsOf(shape);
  const row = exampleOf(shape);
  return [columns.map(({ name }) => name), columns.map((column) => column.cell(row))]
    .map(csvLine)
    .join('');
}
