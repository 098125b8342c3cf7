import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface StandIn {
  readonly url: string;
  close(): void;
}

/** Stands for the service where it answers as a test could not make the real one: late, cut off, moved. */
export async function startStandIn(): Promise<StandIn> {
  const keys: unknown[] = [];
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://service');
    const body = await text(request).catch(() => '');
    switch (pathname.split('/').at(-1)) {
      case 'payments':
        return json(response, 200, page(searchParams.get('cursor')));
      case 'batch':
        return batch(response, { from: Number(searchParams.get('from_row')), body });
      case 'retry':
        keys.push(request.headers['idempotency-key']);
        return keys.length < 3
          ? json(response, 503, {})
          : json(response, 200, { tries: keys.length, keys: new Set(keys).size });
      case 'missing':
        return json(response, 404, { message: 'Not Found', errors: [] });
      case 'moved':
        return void response.writeHead(302, { location: '/recover/payments' }).end();
      case 'silent':
        return;
      case 'stalled':
        return void response.writeHead(200).write('{"half":');
      default:
        response.writeHead(200, { 'content-length': 100 });
        return void response.write('{"half":', () => response.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Two pages, whose cursor has to be encoded. */
function page(cursor: string | null): object {
  return cursor === 'a+/=&b'
    ? { payments: [{ invoice_id: 'in_3' }] }
    : { payments: [{ invoice_id: 'in_1' }, { invoice_id: 'in_2' }], next_cursor: 'a+/=&b' };
}

/** The answers to a batch; those from the first row on break off within the third. */
function batch(response: ServerResponse, asked: { from: number; body: string }): void {
  const rows = asked.body.trim().split('\n').length;
  const lines = Array.from({ length: rows }, (_, index) => `{"row":${index + 1},"id":"ana_x"}\n`);
  response.writeHead(200, { 'content-type': 'application/x-ndjson' });
  if (asked.from > 1) response.end(lines.slice(asked.from - 1).join(''));
  else response.write(`${lines.slice(0, 2).join('')}{"row":3,`, () => response.destroy());
}
