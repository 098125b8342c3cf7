import { expect, it } from 'vitest';
import { createKnownHosts } from '../../../src/http/server/known-hosts.ts';
import { disputesKit } from '../../kits/disputes-server.ts';
import { operatorKit } from '../../kits/operator-server.ts';
import { firstAnswer, hasAnswers, rawExchange } from '../../kits/raw-http.ts';
import { testServer } from '../../kits/recovery-server.ts';

const isOurs = createKnownHosts(['Recoup.example.com', '*.pay.example', '10.1.0.5']);

it.each([
  'localhost',
  'LOCALHOST:8080',
  'dashboard.localhost:8082',
  '127.0.0.1:8082',
  '[::1]:8082',
  '[::1]',
  '192.0.2.7',
  'recoup.example.com',
  'RECOUP.example.com.:443',
  'a.pay.example',
  'a.b.pay.example:8081',
])('%s is asked for here', (host) => {
  expect(isOurs(host)).toBe(true);
});

it.each([
  '',
  'evil.example',
  'evil.example:8082',
  'localhost.evil.example',
  'notlocalhost',
  'recoup.example.com.evil.example',
  'evil-recoup.example.com',
  'pay.example',
  'evilpay.example',
  '127.0.0.1.evil.example',
  'user@localhost',
  'localhost:8080@evil.example',
  'localhost/x',
  'localhost, evil.example',
  '[::1]evil.example',
  '2130706433',
])('%s is not', (host) => {
  expect(isOurs(host)).toBe(false);
});

/** The three ports, each with a path that needs no credentials and what it says of another host. */
async function ports() {
  const { server } = operatorKit();
  const operator = await server.listen({ port: 0, host: '127.0.0.1' });
  return [
    [await testServer().listen(), '/docs', '"errors":"The Host header'],
    [(await disputesKit()).port, '/docs', '{"detail":"The Host header'],
    [Number(new URL(operator).port), '/metrics', '{"error":{"code":"host_refused"'],
    [Number(new URL(operator).port), '/healthz', '{"error":{"code":"host_refused"'],
    [Number(new URL(operator).port), '/', '{"error":{"code":"host_refused"'],
  ] as const;
}

it('every port refuses another name with 421, whatever is asked', async () => {
  for (const [port, path, words] of await ports()) {
    const bytes = `GET ${path} HTTP/1.1\r\nHost: evil.example\r\n\r\n`;
    const { text } = await rawExchange(port, bytes, hasAnswers(1));
    const { status, body } = firstAnswer(text);
    expect([path, status]).toEqual([path, 421]);
    expect(body).toContain(words);
  }
});

it('probes that ask by address are answered', async () => {
  const { server } = operatorKit();
  const port = Number(new URL(await server.listen({ port: 0, host: '127.0.0.1' })).port);
  for (const path of ['/healthz', '/readyz', '/metrics']) {
    for (const host of ['10.42.0.17:8082', '[fd00::7]:8082', `127.0.0.1:${port}`]) {
      const bytes = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
      const { text } = await rawExchange(port, bytes, hasAnswers(1));
      expect([path, host, firstAnswer(text).status]).toEqual([path, host, 200]);
    }
  }
});
