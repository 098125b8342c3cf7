import { describe, expect, it } from 'vitest';
import type { DashboardState, StaticFile } from '../../src/operator/dashboard/dashboard.ts';
import { operatorKit } from '../kits/operator-server.ts';

const file = (text: string, more: Partial<StaticFile> = {}): StaticFile => ({
  type: 'text/html; charset=utf-8',
  bytes: Buffer.from(text),
  isImmutable: false,
  ...more,
});

const files = new Map([
  ['index.html', file('<the page>')],
  [
    'assets/index-1a2b.js',
    file('script', {
      type: 'text/javascript; charset=utf-8',
      isImmutable: true,
      gzip: Buffer.from('zipped'),
    }),
  ],
]);

const asBrowser = { accept: 'text/html,application/xhtml+xml' };

function serve(state: DashboardState = { kind: 'ready', files }) {
  const { server } = operatorKit({ dashboard: { state: () => state } });
  return (url: string, headers: Record<string, string> = {}, method: 'GET' | 'POST' = 'GET') =>
    server.inject({ method, url, headers });
}

describe('the dashboard on the operator port', () => {
  it.each(['/', '/payments', '/payments/mer_1/in%2F1?range=7d'])(
    'is the page at %s',
    async (url) => {
      const reply = await serve()(url, asBrowser);
      expect([reply.statusCode, reply.body]).toEqual([200, '<the page>']);
      expect(reply.headers['cache-control']).toBe('no-cache');
    },
  );

  it('lets nothing run that it did not serve itself', async () => {
    const reply = await serve()('/');
    const policy = String(reply.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(reply.headers['x-content-type-options']).toBe('nosniff');
  });

  it('gives files with hashed names for ever, compressed to whom that serves', async () => {
    const get = serve();
    const plain = await get('/assets/index-1a2b.js');
    expect(plain.body).toBe('script');
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    const zipped = await get('/assets/index-1a2b.js', { 'accept-encoding': 'br, gzip' });
    expect([zipped.body, zipped.headers['content-encoding']]).toEqual(['zipped', 'gzip']);
  });

  it.each([
    ['a program at an unknown address', '/nowhere', {}],
    ['an unknown address of the API', '/api/nowhere', asBrowser],
    ['a file that is not there', '/assets/index-0000.js', asBrowser],
    ['an address that is one letter off', '/healthz/', asBrowser],
  ])('tells %s that there is nothing', async (_who, url, headers) => {
    const reply = await serve()(url, headers as Record<string, string>);
    expect([reply.statusCode, reply.json().error.code]).toEqual([404, 'not_found']);
  });

  it('takes no other method', async () => {
    expect((await serve()('/payments', asBrowser, 'POST')).statusCode).toBe(404);
  });

  it('says that it is being built, on a page that reloads itself', async () => {
    const reply = await serve({ kind: 'building' })('/payments', asBrowser);
    expect(reply.statusCode).toBe(503);
    expect(reply.body).toContain('<meta http-equiv="refresh" content="2">');
    expect(reply.headers['content-security-policy']).toMatch(/style-src 'sha256-[^']+'/);
  });

  it('says why it could not be built, and what to do', async () => {
    const reply = await serve({ kind: 'failed', message: 'no <Thing> in x.tsx' })('/', asBrowser);
    expect(reply.statusCode).toBe(500);
    expect(reply.body).toContain('no &lt;Thing> in x.tsx');
    expect(reply.body).toContain('npm run build');
  });
});
