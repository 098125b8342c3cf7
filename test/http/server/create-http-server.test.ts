import { describe, expect, it } from 'vitest';
import { credentialScopes } from '../../../src/domain/access/scopes.ts';
import { disputesKit } from '../../kits/disputes-server.ts';
import { operatorKit, operatorToken } from '../../kits/operator-server.ts';
import { firstAnswer, hasAnswers, rawExchange } from '../../kits/raw-http.ts';
import { apiKey, testServer } from '../../kits/recovery-server.ts';

const basic = `Basic ${Buffer.from('mer_1:right').toString('base64')}`;

/** The three ports by name: where they listen, and what proves who asks. */
async function ports() {
  const { server } = operatorKit({
    dashboard: {
      state: () => ({
        kind: 'ready',
        files: new Map([
          ['index.html', { type: 'text/html', bytes: Buffer.from('<p>'), isImmutable: false }],
        ]),
      }),
    },
  });
  const operator = await server.listen({ port: 0, host: '127.0.0.1' });
  return {
    recovery: {
      port: await testServer().listen(),
      credential: `x-api-key: ${apiKey}`,
      paths: ['/recover/payments', '/recover/payments/in_unknown', '/docs', '/docs/openapi.json'],
      named: '/recover/payments/',
      form: /^\{"message":.*\}$/,
    },
    disputes: {
      port: (await disputesKit({ authenticate: async () => credentialScopes })).port,
      credential: `authorization: ${basic}`,
      paths: ['/', '/v1/disputes', '/v1/disputes/dsp_unknown', '/docs'],
      named: '/v1/disputes/',
      form: /^\{"detail":.*\}$/,
    },
    operator: {
      port: Number(new URL(operator).port),
      credential: `authorization: Bearer ${operatorToken}`,
      paths: ['/healthz', '/readyz', '/metrics', '/', '/docs', '/api/session', '/api/nothing'],
      named: '/api/disputes/',
      form: /^\{"error":\{"code":.*\}\}$/,
    },
  };
}

const malformed = ['%', '%zz', '%ff', '%c0%80', '%00', 'a%00b', '%ed%a0%80', '%u0041', '%2'];

/** One answer as it came, and what stood on the connection after it. */
async function raw(port: number, [method, path, credential]: readonly [string, string, string]) {
  const next = 'GET /nowhere HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
  const bytes = `${method} ${path} HTTP/1.1\r\nHost: x\r\nAccept: text/html\r\n${credential}\r\n\r\n${next}`;
  const { text } = await rawExchange(port, bytes);
  const end = text.indexOf('\r\n\r\n');
  const head = text.slice(0, end).split('\r\n');
  return {
    head: head.filter((line) => !/^(request-id|date|ratelimit):/i.test(line)),
    rest: text.slice(end + 4),
  };
}

describe.each(['recovery', 'disputes', 'operator'] as const)('on the %s port', (name) => {
  it('HEAD is answered as GET is, without the body', async () => {
    const { port, paths, credential } = (await ports())[name];
    for (const path of paths) {
      const get = await raw(port, ['GET', path, credential]);
      const head = await raw(port, ['HEAD', path, credential]);
      expect([path, head.head]).toEqual([path, get.head]);
      // The next answer follows at once: no byte of a body stands between them.
      expect(head.rest.startsWith('HTTP/1.1 404')).toBe(true);
    }
  });

  it('a path with a malformed escape is refused in the words of the API', async () => {
    const { port, named, credential, form } = (await ports())[name];
    for (const text of malformed) {
      for (const method of ['GET', 'POST', 'DELETE']) {
        const bytes = `${method} ${named}${text} HTTP/1.1\r\nHost: x\r\n${credential}\r\n\r\n`;
        const exchange = await rawExchange(port, bytes, hasAnswers(1));
        const { status, body } = firstAnswer(exchange.text);
        expect([400, 404, 405, 422]).toContain(status);
        expect(body).toMatch(form);
      }
    }
  });

  it('a query with one is no fault of ours', async () => {
    const { port, paths, credential } = (await ports())[name];
    const path = name === 'operator' ? '/api/session' : (paths[0] ?? '');
    for (const text of malformed) {
      const bytes = `GET ${path}?limit=${text}&${text}=1 HTTP/1.1\r\nHost: x\r\n${credential}\r\n\r\n`;
      const exchange = await rawExchange(port, bytes, hasAnswers(1));
      expect(firstAnswer(exchange.text).status).toBeLessThan(500);
    }
  });
});
