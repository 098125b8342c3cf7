import { expect, it } from 'vitest';
import { credentialScopes } from '../../../src/domain/access/scopes.ts';
import { disputesEndpoints } from '../../../src/http/disputes/endpoints.ts';
import { fileMediaType } from '../../../src/http/endpoint/file-body.ts';
import { disputesKit } from '../../kits/disputes-server.ts';

const authorization = `Basic ${Buffer.from('mer_1:right').toString('base64')}`;
const refusal =
  '{"detail":[{"loc":["body"],"msg":"Input should be a valid dictionary or object to extract fields from","type":"model_attributes_type"}]}';

const takesFile = ({ body }: (typeof disputesEndpoints)[number]) =>
  body?.mediaType === fileMediaType;
const writes = disputesEndpoints.filter(
  (endpoint) => endpoint.method !== 'GET' && !takesFile(endpoint),
);
/** What a page of another site can have a browser send without asking first. */
const simpleTypes = [
  undefined,
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
];

it.each(writes.map(({ method, path }) => [method, path] as const))(
  '%s %s takes no body that is not said to be JSON',
  async (method, path) => {
    const kit = await disputesKit({ authenticate: async () => credentialScopes });
    const url = kit.url + path.replace(/\{\w+\}/g, 'id_1');
    for (const type of simpleTypes) {
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

it('a file comes by the type of a file, and never by one that a page of another site can send', async () => {
  const kit = await disputesKit({ authenticate: async () => credentialScopes });
  const [endpoint, ...others] = disputesEndpoints.filter(takesFile);
  expect(others).toEqual([]);
  const url = `${kit.url}${endpoint?.path.replace('{id}', 'id_1')}?kind=other`;
  for (const type of [...simpleTypes, 'application/json', 'image/svg+xml']) {
    const headers = { authorization, ...(type !== undefined && { 'content-type': type }) };
    const answer = await fetch(url, { method: 'POST', headers, body: new Blob(['{}']) });
    expect([type, answer.status, await answer.text()]).toEqual([
      type,
      422,
      expect.stringContaining('"content-type"'),
    ]);
  }
  for (const type of ['application/pdf', 'IMAGE/PNG', 'application/octet-stream; x=y']) {
    const headers = { authorization, 'content-type': type };
    const answer = await fetch(url, { method: 'POST', headers, body: '%PDF-' });
    expect([type, answer.status]).toEqual([type, 404]);
  }
});
