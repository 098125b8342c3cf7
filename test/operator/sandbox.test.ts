import { describe, expect, it } from 'vitest';
import { fieldsOf, operatorKit } from '../kits/operator-server.ts';

const path = '/api/sandbox/clock';

describe('the sandbox clock', () => {
  it('is shown', async () => {
    const reply = await operatorKit().ask('GET', path);
    expect([reply.status, reply.json]).toEqual([
      200,
      { now: '2026-03-01T09:30:00.000Z', offset_ms: 0 },
    ]);
  });

  it.each([
    [{ advance: 'P1D' }, '2026-03-02T09:30:00.000Z'],
    [{ advance: 'PT0S' }, '2026-03-01T09:30:00.000Z'],
    [{ to: '2026-04-01T00:00:00Z' }, '2026-04-01T00:00:00.000Z'],
    [{ to: '2026-03-01t10:30:00+01:00' }, '2026-03-01T09:30:00.000Z'],
  ])('is moved by %j', async (body, now) => {
    const { ask, clock } = operatorKit();
    const reply = await ask('POST', path, body);
    expect(reply.status).toBe(200);
    expect(reply.json).toMatchObject({ now, jumps: 3 });
    expect(clock.at.toISOString()).toBe(now);
  });

  it.each([
    [{}, 'body: Exactly one of advance, to and next_event is required'],
    [
      { advance: 'P1D', to: '2026-04-01T00:00:00Z' },
      'body: Exactly one of advance, to and next_event is required',
    ],
    [
      { advance: 'P1M' },
      'advance: Input may not use years or months, whose length varies: give days, such as P30D',
    ],
    [{ advance: '1d' }, 'advance: Input must be an ISO 8601 duration such as P1D, PT12H or P1W'],
    [{ advance: 5 }, 'advance: Input should be a valid string'],
    [
      { to: '2026-03-01T09:29:59Z' },
      'to: Time only moves forward, and it is 2026-03-01T09:30:00.000Z now',
    ],
    [
      { to: 'tomorrow' },
      'to: Input should be an RFC 3339 timestamp from 1970 to 9999, such as 2026-01-31T09:30:00Z',
    ],
    [{ by: 'P1D' }, 'by: There is no such field'],
  ])('is not moved by %j', async (body, fault) => {
    const { ask, clock } = operatorKit();
    const before = clock.at;
    const reply = await ask('POST', path, body);
    expect([reply.status, fieldsOf(reply)]).toEqual([400, [fault]]);
    expect(clock.at).toBe(before);
  });

  it('is moved to the next event, and not where none is planned', async () => {
    const { ask, clock } = operatorKit();
    const none = await ask('POST', path, { next_event: true });
    expect([none.status, none.json.error.code]).toEqual([409, 'conflict']);
    clock.eventAt = new Date('2026-03-01T12:00:00.000Z');
    expect((await ask('GET', path)).json.next_event_at).toBe('2026-03-01T12:00:00.000Z');
    const counted = await Promise.all(
      ['PT1H', 'PT3H'].map(async (by) => (await ask('GET', `${path}?advance=${by}`)).json.planned),
    );
    expect(counted).toEqual([
      { attempts: 0, deliveries: 0 },
      { attempts: 1, deliveries: 0 },
    ]);
    const refused = await ask('GET', `${path}?advance=tomorrow`);
    expect(fieldsOf(refused)).toEqual([
      'advance: Input must be an ISO 8601 duration such as P1D, PT12H or P1W',
    ]);
    expect((await ask('POST', path, { next_event: true })).json.now).toBe(
      '2026-03-01T12:00:00.000Z',
    );
  });

  it('does not move beyond the last year that can be written', async () => {
    const { ask, clock } = operatorKit();
    clock.at = new Date('9999-12-31T00:00:00Z');
    expect(fieldsOf(await ask('POST', path, { advance: 'P2D' }))).toEqual([
      'advance: Time ends with the year 9999',
    ]);
  });

  it.each(['GET', 'POST'] as const)('is not there outside the sandbox (%s)', async (method) => {
    const { ask } = operatorKit({}, { sandbox: false });
    const reply = await ask(method, path, method === 'POST' ? { advance: 'P1D' } : undefined);
    expect([reply.status, reply.json.error]).toEqual([
      404,
      {
        code: 'sandbox_only',
        message: 'This works only in the sandbox. Start Recoup with SANDBOX=true to use it.',
      },
    ]);
  });
});
