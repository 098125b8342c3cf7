import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { paymentExample } from '../../../src/http/recovery/intake/payment-example.ts';
import { firstAnswer, hasAnswers, rawExchange } from '../../kits/raw-http.ts';
import { apiKey, testServer } from '../../kits/recovery-server.ts';

const url = '/recover/payment_method_updates';
const limit = 65_536;
const good = { customer_id: 'c', payment_method_id: 'p' };
const tooLong = [{ body: 'Body should have at most 65536 bytes' }];

/** A good body of exactly so many bytes: blanks after the JSON, or a field that nobody knows. */
function bodyOf(bytes: number, filler: string): Buffer {
  const rest = bytes - Buffer.byteLength(JSON.stringify({ ...good, x: '' }));
  const count = Math.floor(rest / Buffer.byteLength(filler));
  const text = JSON.stringify({ ...good, x: filler.repeat(count) });
  return Buffer.from(text + ' '.repeat(bytes - Buffer.byteLength(text)));
}

describe('a body that cannot be read is 400', () => {
  test.each<[string, string | Buffer, object]>([
    ['nothing', '', { body: 'Field required' }],
    ['blanks', '  \n', { body: 'Input should be valid JSON' }],
    ['half a JSON text', '{"customer_id":"c"', { body: 'Input should be valid JSON' }],
    ['a form', 'customer_id=c&payment_method_id=p', { body: 'Input should be valid JSON' }],
    ['a text', '"c"', { body: 'Input should be a valid object' }],
    ['a number', '7', { body: 'Input should be a valid object' }],
    ['null', 'null', { body: 'Input should be a valid object' }],
    ['a list', `[${JSON.stringify(good)}]`, { body: 'Input should be a valid object' }],
    [
      'a member twice',
      '{"customer_id":"a","customer_id":"b","payment_method_id":"p"}',
      { customer_id: 'Field given more than once' },
    ],
    [
      'a member twice',
      '{"customer_id":"a","payment_method_id":"p","customer_id":"b"}',
      { customer_id: 'Field given more than once' },
    ],
    [
      'nesting of 33 levels',
      `{"customer_id":${'['.repeat(32)}${']'.repeat(32)}}`,
      { body: 'Input should be nested at most 32 levels deep' },
    ],
    ['nesting of thousands', '['.repeat(30_000), { body: 'Input should be valid JSON' }],
    [
      'a NUL',
      '{"customer_id":"a\0","payment_method_id":"p"}',
      { body: 'Input should be valid JSON' },
    ],
    [
      'an escaped NUL',
      '{"customer_id":"a\\u0000","payment_method_id":"p"}',
      { customer_id: 'String should not contain NUL characters' },
    ],
    [
      'a lone surrogate',
      '{"customer_id":"\\ud800","payment_method_id":"p"}',
      { customer_id: 'String should not contain lone surrogates' },
    ],
    [
      'Latin-1',
      Buffer.from('{"customer_id":"\xe9"}', 'latin1'),
      { body: 'Input should be valid UTF-8' },
    ],
    [
      'UTF-16',
      Buffer.from(`\ufeff${JSON.stringify(good)}`, 'utf16le'),
      { body: 'Input should be valid UTF-8' },
    ],
    ['a byte order mark', `\ufeff${JSON.stringify(good)}`, { body: 'Input should be valid JSON' }],
    ['gzip', gzipSync(JSON.stringify(good)), { body: 'Input should be valid UTF-8' }],
    [
      'a number beyond a double',
      '{"customer_id":1e999,"payment_method_id":"p"}',
      { customer_id: 'Number is too large to be kept exactly; send it as a string' },
    ],
  ])('%s', async (_name, body, fault) => {
    const { post, api } = testServer();
    const answer = await post(url, body);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toEqual({ message: 'Invalid request body', errors: [fault] });
    expect(api.acceptedUpdates).toEqual([]);
  });

  test('an amount that is too large, without the advice to send a string, which is none', async () => {
    const text = JSON.stringify(paymentExample);
    for (const amount of ['1e30', '-9007199254740993']) {
      const body = text.replace('"amount":12.23', `"amount":${amount}`);
      const answer = await testServer().post('/recover/payments', body);
      expect(answer.statusCode).toBe(400);
      expect(answer.json<{ errors: unknown }>().errors).toEqual([
        { 'transactions.0.amount': 'Number is too large to be kept exactly' },
      ]);
    }
  });

  test('every fault of the text is named', async () => {
    const answer = await testServer().post(
      url,
      '{"customer_id":"\\u0000","reason":1,"reason":[1e99]}',
    );
    expect(answer.json<{ errors: unknown }>().errors).toEqual([
      { customer_id: 'String should not contain NUL characters' },
      { reason: 'Field given more than once' },
      { 'reason.0': 'Number is too large to be kept exactly; send it as a string' },
    ]);
  });

  test.each([
    ['a NUL', '"\\u0000"'],
    ['a NUL in a name', '{"a\\u0000":1}'],
    ['half of a surrogate pair', '"\\ud800"'],
    ['a member twice', '[{"y":1,"y":"}"}]'],
    ['a number that is kept as another', '[1e999,-9007199254740993]'],
    ['nesting of thousands', `${'['.repeat(5_000)}"]"${']'.repeat(5_000)}`],
    ["a card's number", '"4111111111111111"'],
  ])('a field that nobody knows may hold %s', async (_what, held) => {
    const { post, api } = testServer();
    const text = `{"customer_id":"c","x":${held},"payment_method_id":"p","y\\u0000":${held}}`;
    expect((await post(url, text)).statusCode).toBe(200);
    expect(JSON.stringify(api.acceptedUpdates)).not.toMatch(/4111|"x"/);
  });

  test('a body of nothing but faults gets an answer of bounded length', async () => {
    const answer = await testServer().post(url, `[${'1e99,'.repeat(10_000)}1e99]`);
    expect(answer.statusCode).toBe(400);
    expect(answer.json<{ errors: unknown[] }>().errors).toHaveLength(500);
  });
});

describe('encodings', () => {
  test.each(['gzip', 'deflate', 'br', 'utf-8', 'identity, gzip'])('%s is 400', async (encoding) => {
    const { post, api } = testServer();
    const answer = await post(url, good, { 'content-encoding': encoding });
    expect(answer.statusCode).toBe(400);
    expect(answer.json<{ errors: unknown }>().errors).toEqual([
      { 'Content-Encoding': "Input should be 'identity'" },
    ]);
    expect(api.acceptedUpdates).toEqual([]);
  });

  test.each(['identity', 'Identity', ''])('%j is none', async (encoding) => {
    const answer = await testServer().post(url, good, { 'content-encoding': encoding });
    expect(answer.statusCode).toBe(200);
  });
});

describe('length', () => {
  test.each(['x', 'é', '😀'])('65,536 bytes of %s are read, one more is 400', async (filler) => {
    const { post } = testServer();
    const fits = bodyOf(limit, filler);
    const over = bodyOf(limit + 1, filler);
    expect([fits.length, over.length]).toEqual([limit, limit + 1]);
    expect((await post(url, fits)).statusCode).toBe(200);
    const refused = await post(url, over);
    expect(refused.statusCode).toBe(400);
    expect(refused.json<{ errors: unknown }>().errors).toEqual(tooLong);
  });

  const head = `POST ${url} HTTP/1.1\r\nHost: x\r\nx-api-key: ${apiKey}\r\nContent-Type: application/json\r\n`;

  function withLength(body: Buffer): Buffer {
    return Buffer.concat([Buffer.from(`${head}Content-Length: ${body.length}\r\n\r\n`), body]);
  }

  function chunked(body: Buffer): Buffer {
    const parts: Buffer[] = [Buffer.from(`${head}Transfer-Encoding: chunked\r\n\r\n`)];
    for (let start = 0; start < body.length; start += 10_000) {
      const part = body.subarray(start, start + 10_000);
      parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n'));
    }
    return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')]);
  }

  test.each([
    ['with a length', withLength],
    ['in chunks', chunked],
  ])('over a real connection %s, the connection can be used again', async (_name, frame) => {
    const { listen, api } = testServer();
    const port = await listen();
    const bytes = Buffer.concat([
      frame(bodyOf(limit, 'x')),
      frame(bodyOf(limit + 1, 'x')),
      frame(Buffer.from(JSON.stringify(good))),
    ]);
    const { text } = await rawExchange(port, bytes, hasAnswers(3));
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400', 'HTTP/1.1 200']);
    expect(text).toContain(JSON.stringify(tooLong));
    expect(api.acceptedUpdates).toHaveLength(2);
  });

  test('an endless body is refused before it has arrived, and then cut off', async () => {
    const port = await testServer().listen();
    const bytes = `${head}Content-Length: 50000000\r\n\r\n${'x'.repeat(5_000_000)}`;
    const { text, isClosed } = await rawExchange(port, bytes);
    expect(firstAnswer(text).status).toBe(400);
    expect(JSON.parse(firstAnswer(text).body)).toMatchObject({ errors: tooLong });
    expect(isClosed).toBe(true);
  });
});

describe('a body that may be left out', () => {
  const retry = '/recover/payments/in_unknown/retry';

  test.each([
    ['no body and no type', {}],
    ['no body and a length of 0', { 'content-length': '0' }],
    ['no body and JSON’s type', { 'content-type': 'application/json' }],
  ])('%s is taken', async (_name, headers) => {
    const answer = await testServer().call({ method: 'POST', url: retry, headers });
    expect([answer.statusCode, answer.body]).toEqual([404, '{"message":"Payment not found."}']);
  });

  test.each([
    ['a body without a type', {}, '{}'],
    ['a body of another type', { 'content-type': 'text/plain' }, '{}'],
    ['another type and no body', { 'content-type': 'text/plain' }, undefined],
    ['chunks without a type', { 'transfer-encoding': 'chunked' }, undefined],
  ])('%s is 415', async (_name, headers, payload) => {
    const body = payload === undefined ? {} : { payload: Buffer.from(payload) };
    const answer = await testServer().call({ method: 'POST', url: retry, headers, ...body });
    expect(answer.statusCode).toBe(415);
  });

  test('but one that has to be there is not', async () => {
    const answer = await testServer().call({ method: 'POST', url });
    expect(answer.statusCode).toBe(415);
  });
});
