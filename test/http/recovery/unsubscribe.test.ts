import { describe, expect, test } from 'vitest';
import { testServer } from '../../kits/recovery-server.ts';

describe('/unsubscribe/{token}', () => {
  test('asks first: whatever opens links changes nothing', async () => {
    const asked: string[] = [];
    const { app } = testServer({ stopMessages: async (token) => asked.push(token) > 0 });
    const answer = await app.inject({ url: '/unsubscribe/known.1' });
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    expect(answer.body).toContain('<form method="post">');
    expect(asked).toEqual([]);
  });

  test('stops by the one request of a mail program, without a key', async () => {
    const { app } = testServer();
    const answer = await app.inject({
      method: 'POST',
      url: '/unsubscribe/known.1',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'List-Unsubscribe=One-Click',
    });
    expect([answer.statusCode, answer.body.includes('no more of these')]).toEqual([200, true]);
  });

  test.each(['unknown.1', '%3Cscript%3E'])('says so of a link that is none: %s', async (token) => {
    const { app } = testServer();
    const answer = await app.inject({ method: 'POST', url: `/unsubscribe/${token}` });
    expect([answer.statusCode, answer.body.includes('not complete')]).toEqual([404, true]);
    expect(answer.body).not.toContain('script');
  });
});

describe('POST /recover/message_bounces', () => {
  const bounce = (message: string) =>
    testServer().post('/recover/message_bounces', { message, kind: 'bounced' });

  test('takes what is known', async () => {
    const answer = await bounce('cmg_known');
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      { message: 'Nothing more is sent to this address' },
    ]);
  });

  test('says so of a message that nobody sent', async () => {
    const answer = await bounce('cmg_other');
    expect([answer.statusCode, answer.json()]).toEqual([404, { message: 'Message not found.' }]);
  });
});
