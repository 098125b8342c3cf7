import { beforeEach, describe, expect, it } from 'vitest';
import { addMs, dayMs } from '../../src/domain/clock.ts';
import { removeAdded } from '../../src/store/disputes/evidence/added-retention.ts';
import { disputedAt, disputeOf } from '../kits/dispute-cases.ts';
import { insertRows } from '../kits/insert-rows.ts';
import { fieldsOf } from '../kits/operator-server.ts';
import { type OperatorService, operatorService } from '../kits/operator-service.ts';

let service: OperatorService;
let merchantId: string;
let id: string;
beforeEach(async () => {
  service = await operatorService();
  service.clock.at = disputedAt;
  merchantId = await service.merchant();
  for (const pspDisputeId of ['dp_1', 'dp_2']) {
    const dispute = disputeOf({ pspDisputeId });
    await service.ingestDispute({ merchantId, psp: 'sandbox', dispute, occurredAt: disputedAt });
  }
  const { json } = await service.ask('GET', '/api/disputes');
  id = json.items.find((item: { psp_dispute_id: string }) => item.psp_dispute_id === 'dp_1').id;
});

interface Person {
  readonly id: string;
  ask(method: string, url: string, body?: object): Promise<{ status: number; json: Json }>;
}
// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects to be there
type Json = any;

async function person(name: string, role: string, merchants?: readonly string[]): Promise<Person> {
  const who = { name, role, ...(merchants && { merchants }) };
  const { json } = await service.ask('POST', '/api/operators', who);
  const issued = await service.ask('POST', `/api/operators/${json.id}/tokens`);
  return {
    id: json.id,
    async ask(method, url, body) {
      const reply = await service.server.inject({
        method: method as 'GET',
        url,
        headers: {
          authorization: `Bearer ${issued.json.text}`,
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { payload: JSON.stringify(body) }),
      });
      const json = reply.body === '' ? undefined : JSON.parse(reply.body);
      return { status: reply.statusCode, json };
    },
  };
}

const assign = (assigned_to: string, ask: Person['ask'] = service.ask) =>
  ask('POST', `/api/disputes/${id}/assign`, { assigned_to });
const namesOf = ({ json }: { json: Json }) =>
  json.items.map((item: { psp_dispute_id: string }) => item.psp_dispute_id);

describe('a dispute is given', () => {
  it('to an operator, who stands in its page and its list, and to nobody again', async () => {
    const ann = await person('Ann', 'disputes');
    expect(await assign(ann.id)).toMatchObject({
      status: 200,
      json: { id, assignee: { id: ann.id, name: 'Ann' } },
    });
    const shown = async () => (await service.ask('GET', `/api/disputes/${id}`)).json.assignee;
    expect(await shown()).toEqual({ id: ann.id, name: 'Ann' });
    const listed = await service.ask('GET', '/api/disputes?order=deadline');
    expect(listed.json.items.map((item: Json) => item.assignee?.name).sort()).toEqual([
      'Ann',
      undefined,
    ]);
    expect((await assign('none')).json).toEqual({ id });
    expect(await shown()).toBeUndefined();
  });

  it('to oneself, and lists by whose work it is, in every order', async () => {
    const ann = await person('Ann', 'disputes');
    await assign('me', ann.ask);
    for (const more of ['', '&order=deadline', `&merchant_id=${merchantId}`]) {
      const list = async (who: string) =>
        namesOf(await ann.ask('GET', `/api/disputes?assigned_to=${who}${more}`));
      expect([await list('me'), await list(ann.id), await list('none')]).toEqual([
        ['dp_1'],
        ['dp_1'],
        ['dp_2'],
      ]);
      expect(await list('op_0nobody')).toEqual([]);
    }
    const page = await ann.ask('GET', '/api/disputes?assigned_to=none&limit=1');
    expect([namesOf(page), page.json.next_cursor]).toEqual([['dp_2'], undefined]);
  });

  it('by nobody in particular to nobody in particular: the one token is no operator', async () => {
    expect((await assign('me')).status).toBe(409);
    expect((await service.ask('GET', '/api/disputes?assigned_to=me')).status).toBe(409);
    expect(fieldsOf(await service.ask('GET', '/api/disputes?assigned_to=ME'))).toHaveLength(1);
  });

  it('to nobody who may not answer it: viewers, those of other merchants, the removed', async () => {
    const other = await service.merchant();
    const gone = await person('Gone', 'disputes');
    await service.ask('DELETE', `/api/operators/${gone.id}`);
    const people = [
      await person('Viewer', 'viewer'),
      await person('Elsewhere', 'disputes', [other]),
      gone,
    ];
    for (const { id: operatorId } of people) expect((await assign(operatorId)).status).toBe(404);
    const here = await person('Here', 'disputes', [merchantId]);
    const candidates = async (ask: Person['ask'], query = '') =>
      (await ask('GET', `/api/dispute-assignees${query}`)).json;
    expect(await candidates(service.ask, `?merchant_id=${merchantId}`)).toEqual({
      assignees: [{ id: here.id, name: 'Here' }],
    });
    expect((await candidates(service.ask)).assignees).toHaveLength(2);
    expect(await candidates(here.ask)).toEqual({
      assignees: [{ id: here.id, name: 'Here' }],
      me: here.id,
    });
  });

  it('to nobody, once who worked on it is removed', async () => {
    const ann = await person('Ann', 'disputes');
    await assign(ann.id);
    await service.ask('DELETE', `/api/operators/${ann.id}`);
    expect((await service.ask('GET', `/api/disputes/${id}`)).json.assignee).toBeUndefined();
    expect(namesOf(await service.ask('GET', '/api/disputes?assigned_to=none'))).toHaveLength(2);
    expect(namesOf(await service.ask('GET', `/api/disputes?assigned_to=${ann.id}`))).toEqual([]);
  });

  it('by nobody who may only look, or does not see it', async () => {
    const ann = await person('Ann', 'disputes');
    const viewer = await person('Viewer', 'viewer');
    const elsewhere = await person('Elsewhere', 'operator', [await service.merchant()]);
    expect((await assign(ann.id, viewer.ask)).status).toBe(403);
    expect((await assign(ann.id, elsewhere.ask)).status).toBe(404);
  });

  it('with a line of the audit log for each change, and none for what was so', async () => {
    const [ann, bob] = [await person('Ann', 'disputes'), await person('Bob', 'operator')];
    for (const who of [ann.id, ann.id, bob.id, 'none', 'none']) await assign(who);
    const { json } = await service.ask('GET', `/api/audit?merchant_id=${merchantId}`);
    const lines = json.items.filter(({ action }: Json) => action === 'dispute.assigned').reverse();
    expect(lines.map(({ before, after }: Json) => [before, after])).toEqual([
      [{}, { assigned_to: ann.id }],
      [{ assigned_to: ann.id }, { assigned_to: bob.id }],
      [{ assigned_to: bob.id }, {}],
    ]);
  });
});

describe('a note', () => {
  const write = (text: string, ask: Person['ask'] = service.ask) =>
    ask('POST', `/api/disputes/${id}/notes`, { text });
  const notes = async (ask: Person['ask'] = service.ask) =>
    (await ask('GET', `/api/disputes/${id}`)).json.notes;
  const remove = (noteId: string, ask: Person['ask'] = service.ask) =>
    ask('DELETE', `/api/disputes/${id}/notes/${noteId}`);

  it('stands with its author and time, the newest last', async () => {
    const ann = await person('Ann', 'disputes');
    const first = await write('Called the customer.\nNo answer.', ann.ask);
    expect(first).toMatchObject({
      status: 201,
      json: {
        author_id: ann.id,
        author_name: 'Ann',
        text: 'Called the customer.\nNo answer.',
        written_at: disputedAt.toISOString(),
        is_removable: true,
      },
    });
    service.clock.at = new Date(disputedAt.getTime() + 60_000);
    const second = await write('The carrier has the signature.');
    expect(second.json.author_id).toBeUndefined();
    expect(await notes(ann.ask)).toEqual([first.json, { ...second.json, is_removable: false }]);
  });

  it('is kept sealed, and in no line of the audit log', async () => {
    const text = 'Jane Doe of 12 Elm Street says that she has it.';
    await write(text);
    const dumped = await service.db.pool.query(
      'select row_to_json(n) as note from dispute_notes n',
    );
    const audit = await service.ask('GET', `/api/audit?merchant_id=${merchantId}`);
    expect(JSON.stringify([dumped.rows, audit.json])).not.toContain('Elm');
    expect(audit.json.items.map(({ action }: Json) => action)).toContain('dispute.noted');
    const hex = Buffer.from('Elm Street').toString('hex');
    expect(JSON.stringify(dumped.rows)).not.toContain(hex);
  });

  it('is removed by whoever wrote it, or by an administrator', async () => {
    const [ann, bob] = [await person('Ann', 'disputes'), await person('Bob', 'operator')];
    const one = (await write('one', ann.ask)).json.id;
    const two = (await write('two', ann.ask)).json.id;
    expect((await remove(one, bob.ask)).status).toBe(403);
    expect((await remove(one, ann.ask)).status).toBe(204);
    expect((await remove(one, ann.ask)).status).toBe(404);
    // The one token is an administrator's.
    expect((await remove(two)).status).toBe(204);
    expect(await notes()).toEqual([]);
    const { json } = await service.ask('GET', `/api/audit?merchant_id=${merchantId}`);
    const removed = json.items.filter(({ action }: Json) => action === 'dispute.note_removed');
    expect(removed.map(({ actor, detail }: Json) => [actor, detail.note_id])).toEqual([
      ['operator', two],
      [ann.id, one],
    ]);
  });

  it('keeps the name of who was removed', async () => {
    const ann = await person('Ann', 'disputes');
    await write('one', ann.ask);
    await service.ask('DELETE', `/api/operators/${ann.id}`);
    expect(await notes()).toMatchObject([{ author_id: ann.id, author_name: 'Ann' }]);
  });

  it('is for nobody who may only look, or does not see the dispute', async () => {
    await write('one');
    const viewer = await person('Viewer', 'viewer');
    const elsewhere = await person('Elsewhere', 'operator', [await service.merchant()]);
    expect(await notes(viewer.ask)).toBeUndefined();
    expect((await write('x', viewer.ask)).status).toBe(403);
    expect((await write('x', elsewhere.ask)).status).toBe(404);
    expect((await remove('dnt_1', elsewhere.ask)).status).toBe(404);
  });

  it.each(['', '  \n ', 'x'.repeat(2_001), 'a\u0000b'])('of no text is none: %j', async (text) => {
    const reply = await write(text);
    expect(reply.status).toBe(400);
    expect(fieldsOf(reply as Json)).toHaveLength(1);
  });

  it('goes when evidence does, once its dispute has ended', async () => {
    await write('called');
    const later = addMs(service.clock.at, 900 * dayMs);
    await removeAdded(service.db, later, 100);
    expect(await notes()).toHaveLength(1);
    const occurredAt = addMs(disputedAt, dayMs);
    const dispute = disputeOf({ status: 'lost' });
    await service.ingestDispute({ merchantId, psp: 'sandbox', dispute, occurredAt });
    await removeAdded(service.db, disputedAt, 100);
    expect(await notes()).toHaveLength(1);
    await removeAdded(service.db, later, 100);
    expect(await notes()).toEqual([]);
  });

  it('is one of two hundred at most', async () => {
    const { id: noteId } = (await write('x'.repeat(2_000))).json;
    const { rows } = await service.db.pool.query('select to_jsonb(n) as note from dispute_notes n');
    const others = Array.from({ length: 199 }, (_, index) => ({
      ...rows[0].note,
      note_id: `dnt_${index}`,
    }));
    await insertRows(service.db.pool, 'dispute_notes', others);
    expect((await write('one more')).status).toBe(409);
    await service.db.pool.query(`delete from dispute_notes where note_id <> $1`, [noteId]);
    expect((await write('one more')).status).toBe(201);
  });
});

it('merchants see neither in their portal, list, export or page', async () => {
  const ann = await person('Ann', 'disputes');
  await assign(ann.id);
  await service.ask('POST', `/api/disputes/${id}/notes`, { text: 'a secret of ours' });
  const link = await service.ask('POST', `/api/merchants/${merchantId}/portal-links`);
  const [, portal_token] = String(link.json.url).split('#');
  const host = 'recoup.example:8082';
  const entered = await service.server.inject({
    method: 'POST',
    url: '/api/session',
    headers: { host, origin: `http://${host}`, 'content-type': 'application/json' },
    payload: JSON.stringify({ portal_token }),
  });
  const cookie = String(entered.headers['set-cookie']).split(';')[0] ?? '';
  const get = (url: string) => service.server.inject({ url, headers: { cookie } });
  for (const url of ['/api/disputes', `/api/disputes/${id}`, '/api/export/disputes?format=csv']) {
    const { statusCode, body } = await get(url);
    expect([url, statusCode]).toEqual([url, 200]);
    expect(body).toContain(id);
    expect(body).not.toMatch(/Ann|a secret of ours|op_/);
  }
  for (const url of ['/api/disputes?assigned_to=none', '/api/dispute-assignees']) {
    expect([url, (await get(url)).statusCode]).toEqual([url, 403]);
  }
});
