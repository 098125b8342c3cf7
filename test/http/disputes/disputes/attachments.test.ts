import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request as plainRequest } from 'node:http';
import { connect } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addMs, dayMs } from '../../../../src/domain/clock.ts';
import { disputesOpenApi } from '../../../../src/http/disputes/disputes-open-api.ts';
import { operatorOpenApi } from '../../../../src/operator/operator-open-api.ts';
import {
  removeAdded,
  removeUnfinished,
} from '../../../../src/store/disputes/evidence/added-retention.ts';
import type { AnalyticsWorld } from '../../../kits/analytics-world.ts';
import { untilLockWaits } from '../../../kits/lock-waits.ts';
import { answersOf } from '../../../kits/open-api.ts';
import { pdfText } from '../../../kits/pdf-text.ts';
import {
  openStripeDisputes,
  type StripeDisputes,
} from '../../../kits/psps/stripe/open-stripe-disputes.ts';
import type { StripeServer } from '../../../kits/psps/stripe-server.ts';
import type { TestDispute } from '../../../kits/psps/test-disputes.ts';
import { reportDispute } from '../../../kits/report-dispute.ts';

let world: AnalyticsWorld;
let stripe: StripeServer;
let open: StripeDisputes;
beforeAll(async () => {
  open = await openStripeDisputes();
  ({ world, stripe } = open);
});
afterAll(() => open.close());

let disputes = 0;
let id: string;
let atStripe: TestDispute;
beforeEach(async () => {
  disputes += 1;
  atStripe = stripe.world.disputes.open(`du_${disputes}`);
  stripe.world.disputes.files.length = 0;
  id = await report();
});

function report(changes: object = {}): Promise<string> {
  const named = { psp: 'stripe', psp_dispute_id: `du_${disputes}`, charge_id: `ch_${disputes}` };
  return reportDispute(world, { ...named, ...changes });
}

/** A PDF of so many bytes, no two of which are alike. */
function pdf(bytes = 1_000): Buffer {
  const [head, end] = [Buffer.from('%PDF-1.7\n'), Buffer.from('\n%%EOF\n')];
  return Buffer.concat([head, randomBytes(bytes - head.length - end.length), end]);
}
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function attach(bytes: Uint8Array, headers: Record<string, string> = {}, kind = 'receipt') {
  const path = `/v1/disputes/${id}/attachments?kind=${kind}`;
  const type = { 'content-type': 'application/pdf' };
  const { status, text } = await world.call('POST', path, bytes, { ...type, ...headers });
  return { status, json: JSON.parse(text), text };
}

/** A file whose bytes the test sends, when it wants. */
function sendSlowly(length: number) {
  const sending = plainRequest(`${world.url}/v1/disputes/${id}/attachments?kind=other`, {
    method: 'POST',
    headers: {
      authorization: world.first.authorization,
      'content-type': 'application/pdf',
      'content-length': length,
    },
  });
  const answer = once(sending, 'response').then(async ([response]) => ({
    status: (response as IncomingMessage).statusCode,
    text: await readText(response as IncomingMessage),
  }));
  return { sending, answer };
}

async function list() {
  const { status, text } = await world.call('GET', `/v1/disputes/${id}/attachments`);
  if (status !== 200) throw new Error(text);
  return JSON.parse(text);
}

const download = (attachmentId: string, headers: Record<string, string> = {}) =>
  fetch(`${world.url}/v1/disputes/${id}/attachments/${attachmentId}`, {
    headers: { authorization: world.first.authorization, ...headers },
  });
const rowsOf = (table: string) => world.rows(`select * from ${table} where dispute_id = $1`, [id]);

describe('a file that is added', () => {
  it('comes back byte for byte, to be saved and not shown', async () => {
    const file = pdf(200_000);
    const { status, json } = await attach(file, {
      'content-disposition': "attachment; filename*=UTF-8''J%C3%BCne%20%22x%22.exe",
    });
    expect([status, json]).toEqual([
      200,
      {
        id: expect.stringMatching(/^fil_[0-9a-z]{24}$/),
        kind: 'receipt',
        name: 'Jüne x .exe.pdf',
        media_type: 'application/pdf',
        bytes: 200_000,
        sha256: sha256(file),
        added_by: 'merchant',
        added_at: expect.stringMatching(/Z$/),
        goes_to: 'receipt',
      },
    ]);
    const answer = await download(json.id);
    expect(Buffer.from(await answer.arrayBuffer()).equals(file)).toBe(true);
    expect(answer.headers.get('content-type')).toBe('application/pdf');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('content-disposition')).toBe(
      `attachment; filename="J_ne x .exe.pdf"; filename*=UTF-8''J%C3%BCne%20x%20.exe.pdf`,
    );
  });

  it('is the same one again, however it is called', async () => {
    const file = pdf();
    const first = await attach(file);
    const again = await attach(file, { 'content-disposition': 'attachment; filename=x' }, 'other');
    expect(again.json).toEqual(first.json);
    expect((await list()).attachments).toHaveLength(1);
    expect(await rowsOf('dispute_attachment_parts')).toHaveLength(1);
  });

  it('is sealed with its name, and neither is in the audit log or the log', async () => {
    const file = Buffer.concat([pdf(100), Buffer.from('Zoe Quill %%EOF')]);
    const { json } = await attach(file, {
      'content-disposition': 'attachment; filename="Quill.pdf"',
    });
    const kept = JSON.stringify([
      ...(await rowsOf('dispute_attachments')),
      ...(await rowsOf('dispute_attachment_parts')),
    ]);
    const bytes = Buffer.from('Quill');
    const [part] = await rowsOf('dispute_attachment_parts');
    expect(Buffer.from(part?.sealed as Uint8Array).includes(bytes)).toBe(false);
    expect(kept).not.toContain('Quill');
    const log =
      JSON.stringify(await world.rows('select detail from audit_log')) + world.lines.join();
    expect(log).not.toContain('Quill');
    await download(json.id);
    const acts = await world.rows(
      `select action from audit_log where detail->>'attachment_id' = $1 order by line`,
      [json.id],
    );
    expect(acts.map(({ action }) => action)).toEqual([
      'dispute.attachment_added',
      'dispute.attachment_read',
    ]);
  });

  it('is part of the packet, its hash and its PDF', async () => {
    const before = JSON.parse((await world.call('GET', `/v1/disputes/${id}/evidence`)).text);
    const file = pdf();
    await attach(file, { 'content-disposition': 'attachment; filename=June.pdf' });
    const { content, content_hash: hash } = JSON.parse(
      (await world.call('GET', `/v1/disputes/${id}/evidence`)).text,
    );
    expect(content.attachments).toEqual([
      {
        kind: 'receipt',
        name: 'June.pdf',
        mediaType: 'application/pdf',
        bytes: file.length,
        sha256: sha256(file),
      },
    ]);
    expect(hash).not.toBe(before.content_hash);
    const answer = await fetch(`${world.url}/v1/disputes/${id}/evidence`, {
      headers: { authorization: world.first.authorization, accept: 'application/pdf' },
    });
    const text = pdfText(new Uint8Array(await answer.arrayBuffer()));
    expect(text).toContain('June.pdf');
    expect(text.replaceAll('\n', '')).toContain(sha256(file).slice(0, 20));
  });

  it('is removed until it is sent, then stays', async () => {
    const { json } = await attach(pdf());
    const path = `/v1/disputes/${id}/attachments/${json.id}`;
    const other = { authorization: world.second.authorization };
    expect((await world.call('DELETE', path, undefined, other)).status).toBe(404);
    expect((await download(json.id, other)).status).toBe(404);
    expect((await world.call('DELETE', path)).status).toBe(200);
    expect((await world.call('DELETE', path)).status).toBe(404);
    expect((await download(json.id)).status).toBe(404);
    expect(await rowsOf('dispute_attachments')).toEqual([]);
    const kept = await attach(pdf());
    await world.call('POST', `/v1/disputes/${id}/submit`);
    expect((await world.call('DELETE', path.replace(json.id, kept.json.id))).status).toBe(409);
    expect((await attach(pdf())).status).toBe(409);
    const shown = await list();
    expect([shown.is_sent, shown.attachments.length]).toEqual([true, 1]);
  });
});

describe('what a PSP is sent', () => {
  it('is each file byte for byte and once, though it was staged before', async () => {
    const [receipt, letter] = [pdf(70_000), pdf(150_000)];
    await attach(receipt);
    await attach(letter, {}, 'customer_communication');
    const submit = (body?: object) => world.call('POST', `/v1/disputes/${id}/submit`, body);
    expect((await submit({ stage_only: true })).status).toBe(200);
    await world.call('POST', `/v1/disputes/${id}/evidence`, { rebuttal: 'No.' });
    expect((await submit()).status).toBe(200);
    const { files } = stripe.world.disputes;
    const idOf = (file: Buffer) => files.find(({ bytes }) => bytes.equals(file))?.id;
    expect(files).toHaveLength(2);
    expect(atStripe.staged).toMatchObject([
      { receipt: idOf(receipt), customer_communication: idOf(letter) },
    ]);
    expect(atStripe.submissions).toBe(1);
  });

  it('is no file that was removed after it was staged', async () => {
    const { json } = await attach(pdf());
    await world.call('POST', `/v1/disputes/${id}/submit`, { stage_only: true });
    await world.call('DELETE', `/v1/disputes/${id}/attachments/${json.id}`);
    expect(await rowsOf('dispute_attachment_parts')).toEqual([]);
    await world.call('POST', `/v1/disputes/${id}/submit`);
    expect(atStripe.staged).toMatchObject([{ receipt: '' }]);
  });

  it('that it refuses ends in its words, and may be tried again', async () => {
    await attach(pdf());
    stripe.world.disputes.refuseNextFile();
    const refused = await world.call('POST', `/v1/disputes/${id}/submit`);
    expect(refused.status).toBe(502);
    expect(refused.text).toContain('receipt_1.pdf: Stripe answered HTTP 400');
    expect(atStripe.submissions).toBe(0);
  });

  it('leaves out what it does not take, which is said before', async () => {
    await attach(pdf());
    await attach(pdf());
    await attach(pdf());
    const { attachments } = await list();
    expect(attachments.map((one: Record<string, string>) => one.goes_to ?? one.why_not)).toEqual([
      'receipt',
      'uncategorized_file',
      'Stripe accepts one file as receipt: combine them into one PDF.',
    ]);
    const { psp_evidence: form } = JSON.parse(
      (await world.call('GET', `/v1/disputes/${id}/evidence`)).text,
    );
    expect(form.left_out).toContainEqual({
      field: 'attachment 3 (receipt)',
      why: 'Stripe accepts one file as receipt: combine them into one PDF.',
    });
  });
});

it('is documented as the type that it is downloaded as, by both APIs', async () => {
  const png = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR....IEND', 'latin1');
  const added = [await attach(pdf()), await attach(png, { 'content-type': 'image/png' })];
  for (const { json } of added) {
    const { status, headers } = await download(json.id);
    for (const document of [await disputesOpenApi(), await operatorOpenApi()]) {
      const documented = answersOf(document, 'showAttachment').get(status);
      expect(documented?.mediaTypes).toContain(headers.get('content-type'));
    }
  }
});

describe('what is not taken', () => {
  it('is refused by its bytes, its type, its kind, its dispute', async () => {
    const png = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR....IEND', 'latin1');
    const cases: readonly (readonly [number, string, Promise<{ status: number; text: string }>])[] =
      [
        [422, 'not those of a PDF', attach(Buffer.from('<html>hello</html>'))],
        [422, 'its bytes are those of image/png', attach(png)],
        [422, 'it was cut off', attach(Buffer.from('%PDF-1.7 and no end'))],
        [422, 'The file is empty', attach(Buffer.alloc(0))],
        [422, 'application/octet-stream', attach(pdf(), { 'content-type': 'text/plain' })],
        [422, 'application/octet-stream', attach(pdf(), { 'content-type': 'application/json' })],
        [422, '"kind"', attach(pdf(), {}, 'invoice')],
      ];
    for (const [status, words, answer] of cases) {
      const { status: given, text } = await answer;
      expect([given, text]).toEqual([status, expect.stringContaining(words)]);
    }
    const path = '/v1/disputes/dis_none/attachments?kind=receipt';
    const type = { 'content-type': 'image/png' };
    expect((await world.call('POST', path, png, type)).status).toBe(404);
    expect(await rowsOf('dispute_attachments')).toEqual([]);
    expect((await attach(png, { 'content-type': 'application/octet-stream' })).status).toBe(200);
  });

  it('is too long by its header or by its bytes, and the answer is heard', async () => {
    expect((await attach(pdf(5_000_000))).status).toBe(200);
    expect((await attach(pdf(5_000_001))).status).toBe(413);
    const chunked = await new Promise<number>((resolve, reject) => {
      const sending = plainRequest(
        `${world.url}/v1/disputes/${id}/attachments?kind=other`,
        {
          method: 'POST',
          headers: { authorization: world.first.authorization, 'content-type': 'application/pdf' },
        },
        (answer) => {
          answer.resume();
          resolve(answer.statusCode ?? 0);
        },
      );
      sending.on('error', reject);
      sending.end(pdf(5_200_000));
    });
    expect(chunked).toBe(413);
    expect((await list()).attachments).toHaveLength(1);
    expect(await rowsOf('dispute_attachments')).toHaveLength(1);
  });

  it.each([
    ['too long by its header', 413, pdf, false],
    ['too long by its bytes', 413, pdf, true],
    ['no file of ours', 422, randomBytes, true],
  ])(
    'is heard by who reads after all is sent, of one that is %s',
    async (_, status, bytes, isChunked) => {
      const body = bytes(8_000_000);
      const size = body.length.toString(16);
      const head = [
        `POST /v1/disputes/${id}/attachments?kind=other HTTP/1.1`,
        'Host: 127.0.0.1',
        `Authorization: ${world.first.authorization}`,
        'Content-Type: application/pdf',
        isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`,
        `\r\n${isChunked ? `${size}\r\n` : ''}`,
      ].join('\r\n');
      const socket = connect(world.port, '127.0.0.1').pause();
      await new Promise<void>((resolve, reject) => {
        socket.on('error', reject).on('close', () => reject(new Error('closed')));
        socket.write(head);
        socket.write(body, () => resolve());
      });
      const [answer] = await once(socket.resume(), 'data');
      expect(String(answer)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      socket.destroy();
    },
  );

  it('is one more than all the bytes or the files that a dispute may have', async () => {
    for (let count = 0; count < 5; count += 1) await attach(pdf(4_900_000));
    const tooMuch = await attach(pdf(500_001));
    expect([tooMuch.status, tooMuch.text]).toEqual([409, expect.stringContaining('20 files')]);
    for (let count = 5; count < 20; count += 1) {
      expect((await attach(pdf(1_000))).status).toBe(200);
    }
    expect((await attach(pdf(1_000))).status).toBe(409);
    expect(await rowsOf('dispute_attachments')).toHaveLength(20);
  });

  it('leaves nothing where its sender goes away, or its parts are tampered with', async () => {
    await new Promise<void>((resolve) => {
      const sending = plainRequest(`${world.url}/v1/disputes/${id}/attachments?kind=other`, {
        method: 'POST',
        headers: {
          authorization: world.first.authorization,
          'content-type': 'application/pdf',
          'content-length': 1_000_000,
        },
      });
      sending.on('error', () => resolve());
      sending.write(pdf(300_000), () => sending.destroy(new Error('gone')));
    });
    await expect.poll(async () => (await rowsOf('dispute_attachments')).length).toBe(0);
    const { json } = await attach(pdf(200_000));
    await world.rows(
      'delete from dispute_attachment_parts where attachment_id = $1 and number = 1',
      [json.id],
    );
    expect((await download(json.id)).status).toBe(500);
  });
});

describe('the end of a file', () => {
  const end = () =>
    report({ status: 'won', occurred_at: addMs(world.clock.now(), 1_000).toISOString() });

  it('is the erasure of its customer once the dispute has ended', async () => {
    const customer = `cus_${disputes}`;
    const record = { customer_email: 'zoe@example.com', ipv4_address: '8.8.4.4', psp: 'stripe' };
    await world.submit({ ...record, customer_id: customer, charge_id: `ch_${disputes}` });
    await report({ occurred_at: addMs(world.clock.now(), 1).toISOString() });
    await attach(pdf());
    expect((await world.call('DELETE', `/v1/customers/${customer}`)).status).toBe(409);
    await end();
    expect((await world.call('DELETE', `/v1/customers/${customer}`)).status).toBe(200);
    expect(await rowsOf('dispute_attachments')).toEqual([]);
    expect(await rowsOf('dispute_attachment_parts')).toEqual([]);
  });

  it('is that erasure while it comes, which is said and leaves nothing of it', async () => {
    const customer = `cus_${disputes}`;
    const record = { customer_email: 'zoe@example.com', ipv4_address: '8.8.4.4', psp: 'stripe' };
    await world.submit({ ...record, customer_id: customer, charge_id: `ch_${disputes}` });
    await end();
    const bytes = pdf(300_000);
    const { sending, answer } = sendSlowly(bytes.length);
    sending.write(bytes.subarray(0, 200_000));
    await expect
      .poll(async () => (await rowsOf('dispute_attachment_parts')).length)
      .toBeGreaterThan(1);
    expect((await world.call('DELETE', `/v1/customers/${customer}`)).status).toBe(200);
    sending.end(bytes.subarray(200_000));
    expect(await answer).toMatchObject({ status: 409, text: expect.stringContaining('erased') });
    expect(await rowsOf('dispute_attachments')).toEqual([]);
    expect(await rowsOf('dispute_attachment_parts')).toEqual([]);
  });

  it('leaves it whole to who reads it just then', async () => {
    const bytes = pdf(200_000);
    const { json } = await attach(bytes);
    const remover = await world.db.pool.connect();
    try {
      await remover.query('begin');
      // The reader's line of the audit log waits for this one.
      await remover.query('select true from audit_heads where merchant_id = $1 for no key update', [
        world.first.merchantId,
      ]);
      const reading = download(json.id);
      await Promise.race([untilLockWaits((text) => world.rows(text)), reading]);
      await remover.query('delete from dispute_attachments where attachment_id = $1', [json.id]);
      await remover.query('commit');
      const read = await reading;
      expect(read.status).toBe(200);
      expect(sha256(new Uint8Array(await read.arrayBuffer()))).toBe(sha256(bytes));
    } finally {
      remover.release();
    }
    expect((await download(json.id)).status).toBe(404);
  });

  it('is the time for which evidence is kept; what never came whole has a day', async () => {
    await attach(pdf());
    const later = addMs(world.clock.now(), 900 * dayMs);
    await removeAdded(world.db, later, 100);
    expect(await rowsOf('dispute_attachments')).toHaveLength(1);
    await end();
    await removeAdded(world.db, later, 100);
    expect(await rowsOf('dispute_attachment_parts')).toEqual([]);
    await world.rows(
      `insert into dispute_attachments (merchant_id, dispute_id, attachment_id, kind, media_type,
         sealed_name, key_version, added_by, created_at)
       values ($1, $2, 'fil_x', 'other', 'image/png', decode(repeat('00', 40), 'hex'), 1, 'x', $3)`,
      [world.first.merchantId, id, world.clock.now()],
    );
    await removeUnfinished(world.db, world.clock.now(), 100);
    expect(await rowsOf('dispute_attachments')).toHaveLength(1);
    await removeUnfinished(world.db, addMs(world.clock.now(), 1), 100);
    expect(await rowsOf('dispute_attachments')).toEqual([]);
  });
});
