import { Readable } from 'node:stream';
import { type TObject, type TSchema, Type } from 'typebox';
import { invariant } from '../../domain/errors.ts';
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

type List = GuardedEndpoint<OperatorContext>;

/** What the service is or does, the log that is followed, and a person's tokens: nothing to be taken away. */
const kept: readonly string[] = [
  'listPsps',
  'listMagicMethods',
  'checkup',
  'followEvents',
  'listOperatorTokens',
];

/** A list is what answers items. */
export function isList({ method, docs, answers = {} }: List): boolean {
  if (method !== 'GET' || docs === undefined || kept.includes(docs.id)) return false;
  const page = answers[200];
  return page !== undefined && 'items' in propertiesOf(page as TSchema);
}

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
export function exportOf(list: List): List {
  const { docs } = list;
  const item = itemOf(list);
  invariant(docs !== undefined, 'an exported list is documented');
  const { cursor, limit, ...filters } = propertiesOf(list.schema?.query);
  return defineEndpoint({
    method: 'GET',
    path: exportPath(list.path),
    needs: list.needs,
    docs: {
      id: docs.id.replace(/^list|^show/, 'export'),
      tag: 'Exports',
      summary: docs.summary.replace(/^List( or find)?|^Show|^Sum/, 'Export'),
      description: `All rows of \`GET ${list.path}\`, by its filters. An answer that was cut off is not complete.`,
    },
    schema: {
      ...present({ path: list.schema?.path }),
      query: Type.Object({ ...filters, format: formatField }, { additionalProperties: false }),
    },
    answers: {
      200: {
        description: 'The rows, as CSV (RFC 4180) or with `format=ndjson` as JSON lines.',
        mediaType: 'text/csv',
        schema: Type.String(),
        example: exampleText(item),
      },
      ...refusals(400),
      ...(list.path.includes('{') ? refusals(404) : {}),
    },
    async answer(asked: Asked, context: OperatorContext) {
      const { format = 'csv', ...given } = asked.query as unknown as ExportQuery;
      const room = context.exports.takeRoom();
      try {
        const merchantId = await merchantOf(list, asked, context);
        const nextPage = pagesOf(list, { ...asked, query: given as never }, context);
        // Before the head of the answer, since a refusal has to be one.
        const first = await nextPage();
        await note(list, { merchantId, given }, context);
        const pages = pagesFrom(first, nextPage);
        const stream = streamOf(format === 'csv' ? csvTexts(item, pages) : jsonTexts(item, pages));
        room.holdFor(stream, context.caller);
        return { status: 200, body: '', stream, headers: headersOf(list, format, context.now()) };
      } catch (error) {
        room.giveBack();
        throw error;
      }
    },
  });
}

/** `/api/payments` is exported at `/api/export/payments`. */
function exportPath(path: string): string {
  return path.replace('/api/', '/api/export/');
}

type Given = Readonly<Partial<Record<'search' | 'merchant_id', string>>>;
type ExportQuery = Given & { readonly format?: 'csv' | 'ndjson' };

interface RowsPage {
  readonly items: readonly unknown[];
  readonly next_cursor?: string;
}

/** Asks for the next page each time, and for none after the last one. */
function pagesOf(
  list: List,
  asked: Asked,
  context: OperatorContext,
): () => Promise<RowsPage | undefined> {
  const isPaged = 'cursor' in propertiesOf(list.schema?.query);
  let cursor: string | undefined;
  let isDone = false;
  return async () => {
    if (isDone) return undefined;
    const place = isPaged ? { limit: rowsPerPage, ...present({ cursor }) } : {};
    const query = { ...(asked.query as object | undefined), ...place } as never;
    const of = { sender: 'operator', isRead: true, signal: asked.exchange.signal };
    const answer = await onBehalfOf(of, () => list.answer({ ...asked, query }, context));
    const page = answer.content as RowsPage;
    cursor = page.next_cursor;
    isDone = cursor === undefined;
    return page;
  };
}

async function* pagesFrom(
  first: RowsPage | undefined,
  nextPage: () => Promise<RowsPage | undefined>,
): AsyncGenerator<readonly unknown[]> {
  for (let page = first; page !== undefined; page = await nextPage()) {
    if (page.items.length > 0) yield page.items;
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

async function* csvTexts(item: TSchema, pages: AsyncIterable<readonly unknown[]>) {
  const columns = columnsOf(item);
  yield csvLine(columns.map(({ name }) => name));
  for await (const rows of pages) {
    yield rows.map((row) => csvLine(columns.map((column) => column.cell(row)))).join('');
  }
}

async function* jsonTexts(item: TSchema, pages: AsyncIterable<readonly unknown[]>) {
  // By the list's shape: what it does not declare stays inside.
  const write = writeBySchema({ schema: item });
  for await (const rows of pages) yield rows.map((row) => `${write(row)}\n`).join('');
}

/** @throws AppError not_found for a merchant that is not there */
async function merchantOf(
  { needs }: List,
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
  { path }: List,
  { merchantId, given }: { readonly merchantId: string; readonly given: Given },
  { db, now, caller }: Pick<OperatorContext, 'db' | 'now' | 'caller'>,
): Promise<void> {
  const { search, ...rest } = given;
  const isAddress = search?.includes('@') === true;
  const filters = isAddress ? { ...rest, search: 'an e-mail address' } : given;
  const whole = { list: path, filters };
  const { merchants } = caller;
  const isOfSome = merchantId === allMerchants && merchants !== undefined;
  const detail = isOfSome ? { ...whole, merchants } : whole;
  const audit = { action: 'list.exported', detail, at: now() };
  await createActionLog(db).noteAction({ merchantId, audit });
}

function headersOf(list: List, format: 'csv' | 'ndjson', now: Date): Record<string, string> {
  const name = list.path.split('/').at(-1);
  const day = now.toISOString().slice(0, 10);
  return {
    'content-type':
      format === 'csv' ? 'text/csv; charset=utf-8; header=present' : 'application/x-ndjson',
    'content-disposition': `attachment; filename="${name}-${day}.${format}"`,
  };
}

function itemOf({ answers = {} }: List): TSchema {
  const page = answers[200] as TObject<{ items: { type: 'array'; items: TSchema } & TSchema }>;
  return page.properties.items.items;
}

function propertiesOf(schema: TSchema | undefined): Readonly<Record<string, TSchema>> {
  return schema !== undefined && 'properties' in schema ? (schema as TObject).properties : {};
}

function exampleText(item: TSchema): string {
  const columns = columnsOf(item);
  const row = exampleOf(item);
  return [columns.map(({ name }) => name), columns.map((column) => column.cell(row))]
    .map(csvLine)
    .join('');
}
