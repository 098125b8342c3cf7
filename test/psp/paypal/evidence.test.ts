import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildPacket } from '../../../src/disputes/evidence/build-packet.ts';
import { createPaypalAdapter } from '../../../src/psp/paypal/adapter.ts';
import { packetFacts } from '../../kits/packet-cases.ts';
import {
  type PaypalServer,
  paypalCredentials,
  paypalDispute,
  startPaypalServer,
} from '../../kits/psps/paypal-server.ts';
import { describeEvidence } from '../evidence-conformance.ts';

const clock = { now: () => new Date('2026-11-02T09:00:01Z') };
let server: PaypalServer;
beforeAll(async () => {
  server = await startPaypalServer();
});
afterAll(() => server.close());

function accountAt(credentials = paypalCredentials) {
  return createPaypalAdapter({ baseUrl: server.url, deadlineMs: 5_000, clock }).connect(
    credentials,
  );
}

function paypalApi() {
  const { evidence } = accountAt();
  if (evidence.kind !== 'api') throw new Error(evidence.reason);
  return evidence;
}

const requestOf = (pspDisputeId: string) => ({
  pspDisputeId,
  attempt: 'chargeback-1',
  packet: buildPacket(packetFacts()),
  pdf: async () => new TextEncoder().encode('%PDF-1.7 a document'),
});

describeEvidence(
  'PayPal',
  async () => ({ account: accountAt(), disputes: server.answered, hasRecord: true }),
  'none',
  { files: 'paypal' },
);

it('the evidence is a list of typed pieces, whose first has the PDF', async () => {
  const dispute = server.answered.open('PP-D-shape');
  expect(await paypalApi().submit(requestOf('PP-D-shape'))).toEqual({ kind: 'done' });
  expect(dispute.staged).toEqual([
    {
      evidences: expect.arrayContaining([
        {
          evidence_type: 'ORDER_DETAILS',
          notes: expect.any(String),
          documents: [{ name: 'evidence.pdf' }],
        },
      ]),
    },
  ]);
});

it('nothing is sent twice, whatever asks', async () => {
  const dispute = server.answered.open('PP-D-once');
  expect((await paypalApi().submit(requestOf('PP-D-once'))).kind).toBe('done');
  expect(await paypalApi().submit(requestOf('PP-D-once'))).toEqual({
    kind: 'failed',
    reason: 'PayPal takes no evidence now; its status is UNDER_REVIEW',
  });
  expect(dispute.submissions).toBe(1);
});

it('evidence that PayPal refuses fails by the name of its error and of the issue', async () => {
  server.answered.open('PP-D-refused');
  server.answered.failNext('refused');
  expect(await paypalApi().submit(requestOf('PP-D-refused'))).toEqual({
    kind: 'failed',
    reason: 'PayPal answered HTTP 400 INVALID_REQUEST INVALID_EVIDENCE_FILE to the evidence',
  });
});

const link = { href: 'https://api.paypal.com/v1/customer/disputes/PP-D-s/provide-evidence' };
const seller = { source: 'SUBMITTED_BY_SELLER' };
it.each([
  ['waits for the seller', {}, 'not_submitted'],
  ['is looked at', { status: 'UNDER_REVIEW', links: [link] }, 'submitted'],
  ['waits for the buyer', { status: 'WAITING_FOR_BUYER_RESPONSE', links: [link] }, 'unreadable'],
  ['is over', { status: 'RESOLVED' }, 'unreadable'],
  ['has evidence of the seller', { evidences: [seller] }, 'submitted'],
  [
    "has the seller's evidence of an earlier stage",
    { evidences: [{ ...seller, dispute_life_cycle_stage: 'INQUIRY' }] },
    'not_submitted',
  ],
])(
  'a dispute that %s takes no evidence without its link and status',
  async (_what, changes, record) => {
    server.disputes.set('PP-D-s', paypalDispute({ dispute_id: 'PP-D-s', ...changes }));
    const before = server.written();
    expect((await paypalApi().submit(requestOf('PP-D-s'))).kind).toBe('failed');
    expect(server.written().slice(before.length)).not.toContain('provide-evidence\n');
    expect((await paypalApi().readSubmitted('PP-D-s')).kind).toBe(record);
  },
);

it('evidence from before PayPal asked again is not the answer to that', async () => {
  const evidences = [{ ...seller, date: '2026-11-01T09:00:00.000Z' }];
  server.disputes.set('PP-D-again', paypalDispute({ dispute_id: 'PP-D-again', evidences }));
  const record = async (asked: string) =>
    (await paypalApi().readSubmitted('PP-D-again', new Date(asked))).kind;
  expect(await record('2026-11-01T08:59:59Z')).toBe('submitted');
  expect(await record('2026-11-01T09:00:01Z')).toBe('not_submitted');
});

it.each([
  ['waits for the seller and takes evidence', { links: [link] }, true],
  ['is looked at', { status: 'UNDER_REVIEW', links: [link] }, false],
  ['takes no evidence', {}, false],
])('a dispute that %s', async (_what, changes, awaits) => {
  server.disputes.set('PP-D-s', paypalDispute({ dispute_id: 'PP-D-s', ...changes }));
  expect(await paypalApi().awaitsAnother?.('PP-D-s')).toBe(awaits);
});

it('a dispute that cannot be read leaves it to the sending to say so', async () => {
  expect(await paypalApi().awaitsAnother?.('PP-D-nowhere')).toBe(true);
});

it('credentials that cannot be right leave the answer to a person', () => {
  const { evidence } = accountAt({ ...paypalCredentials, environment: 'moon' });
  expect(evidence.kind).toBe('by_hand');
});
