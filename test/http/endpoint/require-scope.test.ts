import { describe, expect, it } from 'vitest';
import { credentialScopes } from '../../../src/domain/access/scopes.ts';
import { disputesEndpoints } from '../../../src/http/disputes/endpoints.ts';
import { endpoints } from '../../../src/http/recovery/endpoints.ts';
import { disputesKit } from '../../kits/disputes-server.ts';
import { testServer } from '../../kits/recovery-server.ts';

const named = (path: string) => path.replace(/\{\w+\}/g, 'id_1');
const wordsOf = (needed: string, scope: string) =>
  `This needs the scope ${needed}, and the key's are: ${scope}.`;

describe.each(credentialScopes)('a key for %s alone', (scope) => {
  it('does that on the recovery API and nothing else', async () => {
    const { call } = testServer({
      authenticate: async () => ({
        merchantId: 'mer_first',
        credentialId: 'cred_first',
        psps: ['sandbox'],
        scopes: [scope],
      }),
    });
    for (const { method, path, scope: needed } of endpoints) {
      const answer = await call({
        method,
        url: named(path),
        ...(method === 'GET'
          ? {}
          : { payload: '{}', headers: { 'content-type': 'application/json' } }),
      });
      const refusal = JSON.stringify({ message: 'Forbidden', errors: wordsOf(needed, scope) });
      if (needed === scope) expect([path, answer.statusCode]).not.toEqual([path, 403]);
      else expect([path, answer.statusCode, answer.body]).toEqual([path, 403, refusal]);
    }
  });

  it('does that on the disputes API, and asks whether it is right', async () => {
    const kit = await disputesKit({ authenticate: async () => [scope] });
    const authorization = `Basic ${Buffer.from('mer_1:right').toString('base64')}`;
    for (const { method, path, scope: needed } of disputesEndpoints) {
      const answer = await fetch(kit.url + named(path), {
        method,
        headers: { authorization, 'content-type': 'application/json' },
        ...(method === 'GET' ? {} : { body: '{}' }),
      });
      const text = await answer.text();
      const refusal = JSON.stringify({ detail: wordsOf(needed, scope) });
      if (needed === scope || needed === 'any')
        expect([path, answer.status]).not.toEqual([path, 403]);
      else expect([path, answer.status, text]).toEqual([path, 403, refusal]);
    }
  });
});
