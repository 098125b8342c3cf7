import { expect, it } from 'vitest';
import { disputesKit } from '../../kits/disputes-server.ts';
import { operatorKit } from '../../kits/operator-server.ts';
import { testServer } from '../../kits/recovery-server.ts';

/** The three ports, as a browser reaches them. */
async function ports(): Promise<readonly (readonly [name: string, url: string])[]> {
  const { server } = operatorKit();
  return [
    ['recovery', `http://127.0.0.1:${await testServer().listen()}/recover/payments`],
    ['disputes', `${(await disputesKit()).url}/v1/disputes`],
    ['operator', `${await server.listen({ port: 0, host: '127.0.0.1' })}/api/merchants`],
  ];
}

const form = { method: 'POST', body: '{}', headers: { 'content-type': 'text/plain' } };

it.each([
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { origin: 'http://127.0.0.1:1' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
])("a form of another site's page (%j) is refused on every port", async (said) => {
  for (const [name, url] of await ports()) {
    const answer = await fetch(url, { ...form, headers: { ...form.headers, ...said } });
    expect([name, answer.status]).toEqual([name, 403]);
    expect(await answer.text()).toContain('another origin');
  }
});

it('servers, which say nothing of a site, and our own pages are not', async () => {
  for (const [name, url] of await ports()) {
    const own = { origin: new URL(url).origin, 'sec-fetch-site': 'same-origin' };
    for (const said of [{}, own]) {
      const { status, headers } = await fetch(url, {
        ...form,
        headers: { ...form.headers, ...said },
      });
      // Each asks for its credentials next.
      expect([name, status]).toEqual([name, name === 'recovery' ? 403 : 401]);
      expect(headers.get('cache-control')).toBe('no-store');
    }
    const read = await fetch(url, { headers: { origin: 'https://evil.example' } });
    expect(await read.text()).not.toContain('another origin');
  }
});
