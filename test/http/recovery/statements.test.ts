import { describe, expect, test } from 'vitest';
import { statementExample } from '../../../src/http/recovery/statements/statement-example.ts';
import { testServer } from '../../kits/recovery-server.ts';

describe('GET /recover/statements/{day}', () => {
  test('answers the statement as canonical JSON', async () => {
    const { call, api } = testServer();
    api.statements.push(statementExample);
    const answer = await call({ method: 'GET', url: '/recover/statements/2026-06-06' });
    expect(answer.json()).toEqual(statementExample);
    expect(answer.body).toMatch(/^{"accounts":\[{"announced":{"amount_minor":1223,/);
  });

  test.each(['2026-06-07', 'x'])('%s is not found', async (day) => {
    const answer = await testServer().call({ method: 'GET', url: `/recover/statements/${day}` });
    expect([answer.statusCode, answer.body]).toEqual([404, '{"message":"Statement not found."}']);
  });
});

test('GET /recover/statements lists them', async () => {
  const { call, api } = testServer();
  api.statements.push(statementExample);
  const answer = await call({
    method: 'GET',
    url: '/recover/statements?cursor=2026-06-01&limit=5',
  });
  expect(answer.json()).toEqual({ statements: [statementExample] });
  expect(api.listed.at(-1)).toMatchObject({ cursor: '2026-06-01', limit: 5 });
});
