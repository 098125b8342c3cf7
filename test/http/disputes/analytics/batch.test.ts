import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AppError } from '../../../../src/domain/errors.ts';
import { limits } from '../../../../src/domain/limits.ts';
import {
  type AnalyticsWorld,
  analyticsRecord,
  openAnalyticsWorld,
} from '../../../kits/analytics-world.ts';

let world: AnalyticsWorld;
beforeAll(async () => {
  world = await openAnalyticsWorld();
});
afterAll(() => world.close());

const path = '/v1/analytics/batch';
const ndjson = { 'content-type': 'application/x-ndjson' };

interface Line {
  readonly row: number;
  readonly id?: string;
  readonly detail?: readonly { type: string }[] | string;
}

function read(text: string): Line[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
}

const rowOf = (name: string) => JSON.stringify({ ...analyticsRecord, charge_id: name });

async function send(body: string | Uint8Array, query = '') {
  const answer = await world.call('POST', path + query, body, ndjson);
  return { ...answer, lines: answer.status === 200 ? read(answer.text) : [] };
}

it('each row is answered by its line, in order', async () => {
  const body = [rowOf('ch_1'), '', '{"half":', '{}', ' \r', rowOf('ch_2'), '\ud800'].join('\n');
  const { status, headers, lines } = await send(body);
  expect([status, headers.get('content-type')]).toEqual([200, 'application/x-ndjson']);
  expect(lines.map(({ row }) => row)).toEqual([1, 3, 4, 6, 7]);
  expect(lines[1]).toEqual({
    row: 3,
    detail: [{ loc: ['body'], msg: 'JSON decode error', type: 'json_invalid' }],
  });
  expect(lines[2]).toMatchObject({
    row: 4,
    detail: [{ type: 'missing' }, { type: 'missing' }, { type: 'missing' }],
  });
  expect(lines[0]?.id).toBe(await world.submit({ ...analyticsRecord, charge_id: 'ch_1' }));
  expect(lines[3]?.id).toBe(await world.submit({ ...analyticsRecord, charge_id: 'ch_2' }));
});

it('thousands of rows are kept once, however often they are sent', async () => {
  const body = Array.from({ length: 3_000 }, (_, index) => rowOf(`ch_many_${index}`)).join('\n');
  const [first, second] = await Promise.all([send(body), send(body)]);
  expect(first.lines).toHaveLength(3_000);
  expect(
    first.lines.every(({ id }, index) => id !== undefined && id === second.lines[index]?.id),
  ).toBe(true);
  const [count] = await world.rows(
    `select count(*)::int as count from analytics where charge_id like 'ch_many_%'`,
  );
  expect(count).toEqual({ count: 3_000 });
});

it('a resumed batch begins with its row', async () => {
  const body = [rowOf('ch_a'), rowOf('ch_b'), rowOf('ch_c')].join('\n');
  const { lines } = await send(body, '?from_row=3');
  expect(lines.map(({ row }) => row)).toEqual([3]);
  const charges = await world.rows(
    `select charge_id from analytics where charge_id in ('ch_a', 'ch_b', 'ch_c')`,
  );
  expect(charges).toEqual([{ charge_id: 'ch_c' }]);
});

it('what was acknowledged on a broken connection is kept, and half a row is none', async () => {
  const socket = connect(world.port, '127.0.0.1');
  const chunk = `${rowOf('ch_broken')}\n${rowOf('ch_half').slice(0, -1)}`;
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: x\r\nauthorization: ${world.first.authorization}\r\n` +
      'content-type: application/x-ndjson\r\n' +
      `transfer-encoding: chunked\r\n\r\n${chunk.length.toString(16)}\r\n${chunk}\r\n`,
  );
  const answered = await new Promise<string>((resolve) => {
    let text = '';
    socket.on('data', (data) => {
      text += data.toString();
      if (text.includes('"row":1')) resolve(text);
    });
  });
  expect(answered).toContain('{"row":1,"id":"ana_');
  const ended = new Promise((resolve) => socket.once('close', resolve));
  socket.destroy();
  await ended;
  const charges = await world.rows(
    `select charge_id from analytics where charge_id in ('ch_broken', 'ch_half')`,
  );
  expect(charges).toEqual([{ charge_id: 'ch_broken' }]);
});

it.each([
  ['0', 'greater_than_equal'],
  ['-1', 'greater_than_equal'],
  ['x', 'int_parsing'],
  ['', 'int_parsing'],
  ['1.5', 'int_parsing'],
])('from_row=%s is refused as %s', async (value, type) => {
  const { status, text } = await send(rowOf('ch_1'), `?from_row=${value}`);
  expect(status).toBe(422);
  expect(JSON.parse(text)).toMatchObject({ detail: [{ loc: ['query', 'from_row'], type }] });
});

it('no body is refused as an analytics record without one is', async () => {
  const { status, text } = await world.call('POST', path);
  expect([status, text]).toEqual([
    422,
    '{"detail":[{"loc":["body"],"msg":"Field required","type":"missing"}]}',
  ]);
});

it('a row of more than 64 KiB is refused alone', async () => {
  const { lines } = await send(
    [JSON.stringify({ ...analyticsRecord, more: 'x'.repeat(70_000) }), rowOf('ch_1')].join('\n'),
  );
  expect(lines[0]).toEqual({
    row: 1,
    detail: [
      { loc: ['body'], msg: 'Data should have at most 65536 bytes', type: 'bytes_too_long' },
    ],
  });
  expect(lines[1]?.id).toBeDefined();
});

it('the row beyond the limit ends the batch, and says so', async () => {
  const body = `${'{}\n'.repeat(limits.batchRows)}${rowOf('ch_beyond')}\n${rowOf('ch_beyond')}`;
  const { lines } = await send(body);
  expect(lines).toHaveLength(limits.batchRows + 1);
  expect(lines.at(-1)).toEqual({
    row: limits.batchRows + 1,
    detail: 'A batch may have at most 10000 rows.',
  });
  expect(
    (await send(body, `?from_row=${limits.batchRows + 1}`)).lines.map(({ row }) => row),
  ).toEqual([limits.batchRows + 1, limits.batchRows + 2]);
});

it('a body of empty lines ends soon, and says so', async () => {
  const { lines } = await send(`${'\n'.repeat(1_000_000)}${rowOf('ch_late')}`);
  expect(lines).toHaveLength(1);
  expect(lines[0]?.detail).toBe('A batch may have at most 10000 empty lines.');
});

it('a body beyond the limit is 413, or ends where it goes beyond', async () => {
  const body = Buffer.alloc(limits.batchBytes + 1, ' ');
  expect((await send(body)).status).toBe(413);
  body.write(`${rowOf('ch_1')}\n`);
  const answer = await fetch(`${world.url}${path}`, {
    method: 'POST',
    headers: { authorization: world.first.authorization, ...ndjson },
    body: new Blob([body]).stream(),
    duplex: 'half',
  } as RequestInit);
  const lines = read(await answer.text());
  expect(lines[0]?.id).toBeDefined();
  expect(lines.slice(1)).toEqual([
    { row: 2, detail: `A batch may have at most ${limits.batchBytes} bytes.` },
  ]);
});

it('a database that goes away ends the batch with a text, and the rest is not ingested', async () => {
  let calls = 0;
  const broken = await openAnalyticsWorld({
    async accept() {
      calls += 1;
      if (calls > 1) throw new AppError('database_unreachable');
      return { kind: 'accepted', analyticsId: 'ana_1' };
    },
  });
  try {
    const { text } = await broken.call('POST', path, `${rowOf('1')}\n${rowOf('2')}\n${rowOf('3')}`);
    expect(read(text)).toEqual([
      { row: 1, id: 'ana_1' },
      { row: 2, detail: 'The service cannot work just now.' },
    ]);
    expect(broken.lines.join('\n')).toContain('database_unreachable');
  } finally {
    await broken.close();
  }
});
