import { RecoupApiError } from './api-error.ts';
import type { CallOptions } from './call-options.ts';
import type { Outgoing, Transport } from './transport.ts';

/** One operation as the client runs it; the generated tables hold them. */
export interface OperationRow {
  readonly method: string;
  readonly path: string;
  readonly pathNames: readonly string[];
  readonly hasBody: boolean;
  readonly hasQuery: boolean;
  readonly hasKey: boolean;
  readonly isRepeatable: boolean;
  readonly form: 'json' | 'bytes' | 'nothing';
  /** Set where the body is the bytes of a file. */
  readonly isFile?: boolean;
  /** Set where the method walks through all pages: the field of a page that holds its items. */
  readonly pages?: string;
}

export type OperationTable = Readonly<Record<string, OperationRow>>;

type Query = Readonly<Record<string, unknown>>;

interface Arguments {
  readonly path: string;
  readonly body: unknown;
  readonly query: Query;
  readonly options: CallOptions;
}

/** The methods of a table. `Methods` is the interface that was generated with it. */
export function operationsOver<Methods>(transport: Transport, table: OperationTable): Methods {
  const methods = Object.entries(table).map(([name, row]) => {
    const call = (args: readonly unknown[]) => argumentsOf(row, args);
    return row.pages === undefined
      ? [name, async (...args: unknown[]) => answerOf(transport, row, call(args))]
      : [name, (...args: unknown[]) => iterate(transport, row, call(args))];
  });
  return Object.fromEntries(methods);
}

/** In the order that the generated interface has them: path, body, query, options. */
function argumentsOf(row: OperationRow, args: readonly unknown[]): Arguments {
  const rest = [...args];
  const path = row.pathNames.reduce(
    (address, name) => address.replace(`{${name}}`, segmentOf(name, rest.shift())),
    row.path,
  );
  const body = row.hasBody ? rest.shift() : undefined;
  const query = row.hasQuery ? rest.shift() : undefined;
  return {
    path,
    body,
    query: (query ?? {}) as Query,
    options: (rest.shift() ?? {}) as CallOptions,
  };
}

/** Throws TypeError for an id that no address can carry: URL parsers read dots as steps. */
function segmentOf(name: string, id: unknown): string {
  if (typeof id !== 'string' || ['', '.', '..'].includes(id)) {
    throw new TypeError(`${name} has to be an id, a text that is not empty.`);
  }
  // A function of replace would read `$` in the text otherwise; encoded, it has none.
  return encodeURIComponent(id);
}

async function answerOf(transport: Transport, row: OperationRow, call: Arguments) {
  const { options } = call;
  const bytes = await transport.exchange(outgoingOf(transport, row, call), {
    ...options,
    isRepeatable: row.isRepeatable,
  });
  switch (row.form) {
    case 'json':
      return jsonOf(bytes);
    case 'bytes':
      return bytes;
    case 'nothing':
      return undefined;
  }
}

/** Made once for all tries of a call, so that each of them carries the same key. */
function outgoingOf(transport: Transport, row: OperationRow, call: Arguments): Outgoing {
  const { path, body, query, options } = call;
  const key = options.idempotencyKey ?? transport.deps.newKey();
  return {
    method: row.method,
    path: `${path}${queryText(query)}`,
    headers: {
      accept: row.form === 'json' ? 'application/json' : '*/*',
      ...(row.hasBody ? { 'content-type': row.isFile ? file : 'application/json' } : {}),
      ...(row.isFile && options.fileName !== undefined
        ? { 'content-disposition': `attachment; filename*=UTF-8''${named(options.fileName)}` }
        : {}),
      ...(row.hasKey ? { 'idempotency-key': key } : {}),
      ...(options.requestId === undefined ? {} : { 'request-id': options.requestId }),
    },
    ...(row.hasBody ? { body: row.isFile ? bytesOf(body) : JSON.stringify(body ?? {}) } : {}),
  };
}

const file = 'application/octet-stream';

/** Throws TypeError for what is no file. */
function bytesOf(body: unknown): Uint8Array<ArrayBuffer> {
  if (!(body instanceof Uint8Array)) throw new TypeError('The file has to be a Uint8Array.');
  return new Uint8Array(body);
}

/** As RFC 8187 has it: what encodeURIComponent leaves as it is, and a header may not have, is encoded too. */
function named(fileName: string): string {
  return encodeURIComponent(fileName).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  );
}

function queryText(query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const texts = given.map(([name, value]) => [name, String(value)] as const);
  const text = new URLSearchParams(Object.fromEntries(texts)).toString();
  return text === '' ? '' : `?${text}`;
}

function jsonOf(bytes: ArrayBuffer): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new RecoupApiError({
      code: 'unexpected_answer',
      status: 200,
      message: 'The answer is not JSON: is the base address the one of the service?',
      requestId: '',
    });
  }
}

/** Every item from the given cursor on; the next page is fetched when it is needed. */
async function* iterate(transport: Transport, row: OperationRow, call: Arguments) {
  let query = call.query;
  for (;;) {
    const page = (await answerOf(transport, row, { ...call, query })) as Query;
    yield* page[row.pages ?? ''] as readonly unknown[];
    if (page.next_cursor === undefined) return;
    query = { ...query, cursor: page.next_cursor };
  }
}
