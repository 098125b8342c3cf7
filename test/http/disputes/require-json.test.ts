import { expect, it } from 'vitest';
import { credentialScopes } from '../../../src/domain/access/scopes.ts';
import { disputesEndpoints } from '../../../src/http/disputes/endpoints.ts';
import { disputesKit } from '../../kits/disputes-server.ts';

const authorization = `Basic ${Buffer.from('mer_1:right').toString('base64')}`;
const refusal =
  '{"detail":[{"loc":["body"],"msg":"Input should be a valid dictionary or object to extract fields from","type":"model_attributes_type"}]}';

const writes = disputesEndpoints.filter(({ method }) => method !== 'GET');

it.each(writes.map(({ method, path }) => [method, path] as const))(
  '%s %s takes no body that is not said to be JSON',
  async (method, path) => {
    const kit = await disputesKit({ authenticate: async () => credentialScopes });
    const url = kit.url + path.replace(/\{\w+\}/g, 'id_1');
    const types = [
      undefined,
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
    ];
    for (const type of types) {
      const headers = { authorization, ...(type !== undefined && { 'content-type': type }) };
      // A Blob, since a text would come with a type of its own.
      const answer = await fetch(url, { method, headers, body: new Blob(['{}']) });
      expect([type, answer.status, await answer.text()]).toEqual([type, 422, refusal]);
    }
    const json = { authorization, 'content-type': 'application/json' };
    const read = await fetch(url, { method, headers: json, body: '{}' });
    expect(await read.text()).not.toBe(refusal);
  },
);
