import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import type { DisputeDetail } from '../../src/disputes/dispute-ports.ts';
import { buildPacket } from '../../src/disputes/evidence/build-packet.ts';
import type { Submission } from '../../src/disputes/submission/submission-ports.ts';
import { disputeOf } from '../kits/dispute-cases.ts';
import { noAnswers } from '../kits/disputes-server.ts';
import { noDisputes, operatorKit, operatorToken } from '../kits/operator-server.ts';
import { packetFacts } from '../kits/packet-cases.ts';
import { type CliRun, runCli } from '../kits/run-cli.ts';

const facts = disputeOf();
const detail: DisputeDetail = {
  merchantId: 'mer_1',
  disputeId: 'dis_1',
  psp: 'stripe',
  pspDisputeId: 'du_1',
  origin: 'psp',
  state: { kind: 'dispute', stage: 'chargeback', status: 'needs_response' },
  stateAt: facts.openedAt,
  stageBegunAt: facts.openedAt,
  facts,
  matchState: 'matched',
  blocksRetries: true,
  lookUp: { state: 'none', tries: 0 },
  changes: [],
  matches: [],
};
const packet = buildPacket(packetFacts());

function submissionOf(state: Submission['state']): Submission {
  return {
    merchantId: 'mer_1',
    disputeId: 'dis_1',
    stage: 'chargeback',
    psp: 'stripe',
    state,
    contentHash: packet.contentHash,
    fence: 1,
    updatedAt: facts.openedAt,
  };
}

const asked: unknown[] = [];
let recoup: (line: string) => Promise<CliRun>;
beforeEach(async () => {
  asked.length = 0;
  const { server } = operatorKit({
    disputes: {
      ...noDisputes,
      list: async () => ({ items: [detail] }),
      show: async () => detail,
      merchantOf: async (id) => (id === 'dis_1' ? 'mer_1' : undefined),
    },
    answers: {
      ...noAnswers,
      packet: async (input) => {
        asked.push(input);
        return { kind: 'packet', dispute: detail, packet };
      },
      pdf: async () => new TextEncoder().encode('%PDF-1.7'),
      submit: async (input) => {
        asked.push(input);
        return input.stageOnly
          ? { kind: 'done', submission: submissionOf('staged') }
          : { kind: 'refused', obstacle: { kind: 'not_open', status: 'lost' } };
      },
      submission: async () => submissionOf('staged'),
    },
  });
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  const env = { OPERATOR_URL: url, OPERATOR_TOKEN: operatorToken };
  recoup = (line) => runCli('recoup', line.split(' '), { env });
});

it('lists them, and shows one with its verdict and its answer', async () => {
  const [listed, shown] = await Promise.all([
    recoup('disputes list --status needs_response'),
    recoup('disputes show dis_1'),
  ]);
  expect(listed.stderr).toBe('');
  expect(listed.stdout).toMatch(/^DISPUTE {2}MERCHANT .* MATCH\ndis_1 .* 49 EUR .* matched\n$/);
  expect(shown.stdout).toContain('Answer    staged (chargeback)');
  expect(shown.stdout).toContain('Verdict   eligible (Visa Compelling Evidence 3.0)');
  expect(shown.stdout).toMatch(/\nprior_window +pass/);
});

it('writes the evidence as a PDF that its owner alone may read, or shows it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'recoup-cli-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'evidence.pdf');
  const [written, shown] = await Promise.all([
    recoup(`disputes evidence dis_1 --pdf ${file}`),
    recoup('disputes evidence dis_1 --json'),
  ]);
  expect(written.stdout).toBe(`Written to ${file}.\n`);
  expect(await readFile(file, 'utf8')).toBe('%PDF-1.7');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(JSON.parse(shown.stdout)).toMatchObject({ content_hash: packet.contentHash });
  expect(asked).toContainEqual(
    expect.objectContaining({
      merchantId: 'mer_1',
      actor: 'operator',
      reason: 'evidence of dis_1',
    }),
  );
});

it('stages an answer, and says why one cannot be given', async () => {
  const [staged, refused, unknown] = await Promise.all([
    recoup('disputes submit dis_1 --stage'),
    recoup('disputes submit dis_1'),
    recoup('disputes submit dis_2'),
  ]);
  expect(staged.stdout).toBe('staged (chargeback)\n');
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining('The dispute awaits no answer: it is lost.'),
  ]);
  expect(unknown.code).toBe(1);
  expect(unknown.stderr).toContain('There is no dispute of this id.');
});
