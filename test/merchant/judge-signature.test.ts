import { describe, expect, it } from 'vitest';
import { judgeSignature } from '../../src/merchant/judge-signature.ts';
import { signWebhook } from '../../src/merchant/signature.ts';

const now = new Date('2026-03-01T12:00:00Z');
const expiresAtUnix = now.getTime() / 1_000 + 300;
const body = '{"invoice_id":"in_1","success":true}';
const signature = signWebhook({ secret: 'old', body, expiresAtUnix });
const judge = (changes: object) =>
  judgeSignature({
    body,
    expiration: expiresAtUnix.toString(),
    signature,
    secrets: ['new', 'old'],
    now,
    ...changes,
  });

describe('a webhook that somebody received', () => {
  it('is valid by any secret that is', () => {
    expect(judge({})).toEqual({ kind: 'valid' });
    expect(judge({ signature: ` ${signature}\n` })).toEqual({ kind: 'valid' });
  });

  it('is expired once its time is over', () => {
    const later = new Date(now.getTime() + 301_000);
    const expiredAt = new Date(now.getTime() + 300_000);
    expect(judge({ now: later })).toEqual({ kind: 'expired', expiredAt });
  });

  it.each([
    ['a line break was added at its end', `${body}\n`],
    ['blanks were added around it', `  ${body} `],
    ['its JSON was parsed and written again', JSON.stringify(JSON.parse(body), null, 2)],
  ])('says that %s', (how, changed) => {
    expect(judge({ body: changed })).toEqual({ kind: 'body_changed', how });
  });

  it.each([
    ['another body', { body: '{"invoice_id":"in_2"}' }, /No valid signing secret/],
    ['another secret', { secrets: ['new'] }, /No valid signing secret/],
    ['another time', { expiration: '1772366701' }, /No valid signing secret/],
    ['a time in words', { expiration: '2026-03-01T12:05:00Z' }, /whole seconds/],
    ['the other header', { signature: 'v1,+W8QbGqWTDryCQHXy9h6Tc2v' }, /64 lower-case/],
  ])('is wrong with %s', (_what, changes, why) => {
    expect(judge(changes)).toMatchObject({ kind: 'wrong', why: expect.stringMatching(why) });
  });
});
