import { describe, expect, test } from 'vitest';
import { credentialScopes } from '../../../src/domain/access/scopes.ts';
import { disputesOpenApi } from '../../../src/http/disputes/disputes-open-api.ts';
import { recoveryOpenApi } from '../../../src/http/recovery/recovery-open-api.ts';
import { operatorOpenApi } from '../../../src/operator/operator-open-api.ts';
import { disputesKit } from '../../kits/disputes-server.ts';
import { type ApiOperation, operationsOf } from '../../kits/open-api.ts';
import { operatorToken } from '../../kits/operator-server.ts';
import { operatorService } from '../../kits/operator-service.ts';
import { apiKey, testServer } from '../../kits/recovery-server.ts';
import { type Sent, sendAsIs, undocumentedOf } from '../../kits/sent-as-is.ts';

/**
 * The other way round from refusals.test.ts: whatever is wrong with a request of any operation, its
 * answer is one that the operation's document names, in the shape and type that it names.
 */

type Change = (sent: Sent, operation: ApiOperation) => Sent;

/** What can be wrong, by what it is. */
const changes: Readonly<Record<string, Change>> = {
  nothing: (sent) => sent,
  'no credentials': ({ headers, ...sent }) => {
    const { authorization: _a, 'x-api-key': _k, ...others } = headers;
    return { ...sent, headers: others };
  },
  'a wrong bearer token': withHeader('authorization', 'Bearer wrong'),
  'wrong HTTP Basic': withHeader('authorization', 'Basic bm9ib2R5OndvcmQ='),
  'a wrong key': withHeader('x-api-key', 'wrong'),
  'a NUL in the path': filled('%00'),
  'an id that is too long': filled('x'.repeat(3000)),
  'an id of other letters': filled('%F0%9F%92%B8%20%2e'),
  'a card number as the id': filled('4111111111111111'),
  'a parameter that is not there': (sent) => ({ ...sent, path: `${sent.path}${joint(sent)}no=1` }),
  'a NUL in every parameter': withParameters('%00'),
  'nothing in every parameter': withParameters(''),
  'a large number in every parameter': withParameters('9'.repeat(400)),
  'a date that is none in every parameter': withParameters('2026-02-31T25:61:00Z'),
  'every parameter twice': (sent, operation) =>
    withParameters('1')(withParameters('1')(sent, operation), operation),
  'another merchant': (sent) => ({ ...sent, path: `${sent.path}${joint(sent)}merchant_id=none` }),
  'no body': ({ body: _body, ...sent }) => sent,
  'an empty body': withBody(''),
  'half a body': withBody('{"'),
  'a list': withBody('[]'),
  'nothing as a body': withBody('null'),
  'a text': withBody('"x"'),
  'an empty object': withBody('{}'),
  'a body that nests deeply': withBody(`${'['.repeat(5000)}${']'.repeat(5000)}`),
  'bytes that are no text': withBody(Buffer.from([0xff, 0xfe, 0x00])),
  'a body that is too large': withBody(JSON.stringify({ name: 'x'.repeat(70_000) })),
  'a form': (sent) =>
    withHeader('content-type', 'application/x-www-form-urlencoded')({ ...sent, body: 'a=1' }),
  'no type': ({ headers, ...sent }) => {
    const { 'content-type': _type, ...others } = headers;
    return { ...sent, headers: others };
  },
  'a type that is none': (sent) => withHeader('content-type', ';')({ body: '{}', ...sent }),
  'an Accept of nothing that there is': withHeader('accept', 'image/png'),
  'an empty Idempotency-Key': withHeader('idempotency-key', ''),
  'an Idempotency-Key that is too long': withHeader('idempotency-key', 'x'.repeat(3000)),
  'a Request-Id that is too long': withHeader('request-id', 'x'.repeat(3000)),
  'a head that is too large': withHeader('x-filling', 'x'.repeat(20_000)),
  'the name of another host': withHeader('host', 'evil.example'),
  'a page of another site': withHeader('origin', 'https://evil.example'),
};

describe('whatever is wrong with a request, the answer is documented', () => {
  test('of the recovery API', async () => {
    const url = `http://127.0.0.1:${await testServer().listen()}`;
    const operations = operationsOf(await recoveryOpenApi());
    expect(await undocumented(url, operations, { 'x-api-key': apiKey })).toEqual([]);
  });

  test('of the disputes API', async () => {
    const { url } = await disputesKit({
      authenticate: async (_id, password) => (password === 'right' ? credentialScopes : undefined),
    });
    const authorization = `Basic ${Buffer.from('mer_1:right').toString('base64')}`;
    const operations = operationsOf(await disputesOpenApi());
    expect(await undocumented(url, operations, { authorization })).toEqual([]);
  });

  test('of the operator API, for whoever sees all and whoever sees one merchant', async () => {
    const { server, ask, merchant } = await operatorService();
    const url = await server.listen({ port: 0, host: '127.0.0.1' });
    const merchants = [await merchant()];
    const added = await ask('POST', '/api/operators', {
      name: 'K. Ito',
      role: 'operator',
      merchants,
    });
    const issued = await ask('POST', `/api/operators/${added.json.id}/tokens`);
    expect(issued.status).toBe(201);
    const operations = operationsOf(await operatorOpenApi());
    const all = { authorization: `Bearer ${operatorToken}` };
    expect(await undocumented(url, operations, all)).toEqual([]);
    const some = { authorization: `Bearer ${issued.json.text}` };
    const asked = ['nothing', 'another merchant'];
    expect(await undocumented(url, operations, some, asked)).toEqual([]);
  }, 240_000);
});

/** Answers that no document has, by the operation and by what was wrong. */
async function undocumented(
  url: string,
  operations: readonly ApiOperation[],
  credentials: Readonly<Record<string, string>>,
  names = Object.keys(changes),
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const operation of operations) {
    for (const name of names) {
      const change = changes[name];
      if (change === undefined) throw new Error(`nothing is called ${name}`);
      const sent = change(exampleOf(operation, credentials), operation);
      const answer = await sendAsIs({ url }, sent);
      const faults = undocumentedOf(operation, answer);
      found.push(...faults.map((fault) => `${operation.name}, ${name}: ${fault}`));
    }
  }
  return found;
}

/** The operation's own example, of ids that nothing has. */
function exampleOf(operation: ApiOperation, credentials: Readonly<Record<string, string>>): Sent {
  const path = operation.path.replaceAll(/\{\w+\}/g, 'unknown_1') + operation.requiredQuery;
  const { mediaType, examples } = operation.body ?? {};
  const headers = { ...credentials, ...(mediaType && { 'content-type': mediaType }) };
  const example = examples?.[0]?.value;
  const { method } = operation;
  return { method, path, headers, ...(example && { body: JSON.stringify(example) }) };
}

function withHeader(name: string, value: string) {
  return (sent: Sent): Sent => ({ ...sent, headers: { ...sent.headers, [name]: value } });
}

function withBody(body: string | Buffer): Change {
  return (sent, operation) => (operation.method === 'GET' ? sent : { ...sent, body });
}

function filled(value: string): Change {
  return (sent, { path, requiredQuery }) => ({
    ...sent,
    path: path.replaceAll(/\{\w+\}/g, value) + requiredQuery,
  });
}

function withParameters(value: string): Change {
  return (sent, { queryNames }) => ({
    ...sent,
    path: queryNames.reduce((path, name) => `${path}${joint({ path })}${name}=${value}`, sent.path),
  });
}

function joint({ path }: Pick<Sent, 'path'>): string {
  return path.includes('?') ? '&' : '?';
}
