import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import type { Attachment } from '../../src/disputes/added/attachment.ts';
import { buildPacket } from '../../src/disputes/evidence/build-packet.ts';
import type { Submission } from '../../src/disputes/submission/submission-ports.ts';
import { normaliseReason } from '../../src/domain/disputes/normalise/normalise-reason.ts';
import { showDispute } from '../../src/store/disputes/read-disputes.ts';
import { disputedAt, disputedCharge, disputeOf } from '../kits/dispute-cases.ts';
import { noAnswers } from '../kits/disputes-server.ts';
import { operatorToken } from '../kits/operator-server.ts';
import { type OperatorService, operatorService } from '../kits/operator-service.ts';
import { packetFacts } from '../kits/packet-cases.ts';
import { type CliRun, runCli } from '../kits/run-cli.ts';

let packet = buildPacket(packetFacts());
const asked: unknown[] = [];
let letter: string;
const attached: Attachment[] = [];
const fileBytes = new TextEncoder().encode('%PDF-1.7 %%EOF');
const unknownReason = { network: 'visa', code: 'unknown', family: 'unknown' } as const;
let service: OperatorService;
let disputeId: string;
let recoup: (line: string) => Promise<CliRun>;
beforeEach(async () => {
  packet = buildPacket(packetFacts());
  asked.length = 0;
  letter = 'Dear bank';
  service = await operatorService({
    answers: {
      ...noAnswers,
      packet: async (input) => {
        asked.push(input);
        const dispute = await showDispute(service.db, input);
        return dispute === undefined ? { kind: 'not_found' } : { kind: 'packet', dispute, packet };
      },
      pdf: async () => new TextEncoder().encode('%PDF-1.7'),
      submit: async (input) => {
        asked.push(input);
        return input.stageOnly
          ? { kind: 'done', submission: submissionOf('staged') }
          : { kind: 'refused', obstacle: { kind: 'not_open', status: 'lost' } };
      },
      accept: async (input) => {
        asked.push(input);
        return { kind: 'done', acceptance: { ...acceptanceOf(), state: 'accepted' } };
      },
      answer: async () => submissionOf('staged'),
      attach: async ({ body, kind, name }) => {
        const chunks: Uint8Array[] = [];
        for await (const chunk of body) chunks.push(chunk);
        const bytes = Buffer.concat(chunks);
        attached.push({
          attachmentId: 'fil_1',
          kind,
          name: name ?? '',
          mediaType: 'application/pdf',
          bytes: bytes.length,
          sha256: bytes.toString(),
          addedBy: 'operator',
          addedAt: disputedAt,
        });
        return { kind: 'added', attachment: attached[0] as Attachment };
      },
      attachments: async (input) => {
        const dispute = await showDispute(service.db, input);
        return dispute && { dispute, attachments: attached, isSent: false };
      },
      readAttachment: async () => ({ attachment: attached[0] as Attachment, bytes: fileBytes }),
      removeAttachment: async () => {
        attached.length = 0;
        return 'removed';
      },
      rebuttal: async () => ({ psp: 'stripe', text: letter, isSent: false }),
      writeRebuttal: async ({ text }) => {
        letter = text;
        return { kind: 'kept' };
      },
    },
  });
  const { server, ask, clock, merchant, ingestDispute } = service;
  clock.at = disputedAt;
  const told = { psp: 'stripe', dispute: disputeOf(), occurredAt: disputedAt } as const;
  await ingestDispute({ merchantId: await merchant(), ...told });
  disputeId = (await ask('GET', '/api/disputes')).json.items[0].id;
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  const env = { OPERATOR_URL: url, OPERATOR_TOKEN: operatorToken };
  recoup = (line) => runCli('recoup', line.split(' '), { env });
});

function submissionOf(state: Submission['state']): Submission {
  return {
    kind: 'evidence',
    merchantId: 'mer_1',
    disputeId,
    stage: 'chargeback',
    psp: 'stripe',
    state,
    contentHash: packet.contentHash,
    fence: 1,
    updatedAt: disputedAt,
  };
}

function acceptanceOf() {
  const { contentHash: _, ...answer } = submissionOf('staged');
  return { ...answer, kind: 'acceptance' as const };
}

it('lists them, and shows one with its verdict and its answer', async () => {
  const [listed, shown] = await Promise.all([
    recoup('disputes list --status needs_response'),
    recoup(`disputes show ${disputeId}`),
  ]);
  expect(listed.stderr).toBe('');
  expect(listed.stdout).toMatch(
    /^DISPUTE +MERCHANT .* MATCH +ASSIGNED TO\ndis_\S+ .* 49 EUR .* none\b/,
  );
  expect(shown.stdout).toMatch(/Answer +staged \(chargeback\)/);
  expect(shown.stdout).toMatch(/Verdict +eligible \(Visa Compelling Evidence 3\.0\)/);
  expect(shown.stdout).toMatch(/\nprior_window +pass/);
});

it('says that a test for other reasons does not apply, without its rules', async () => {
  const show = async (code: string) => {
    const reason = normaliseReason('visa', code) ?? unknownReason;
    packet = buildPacket(packetFacts({ disputed: disputedCharge({ reason }) }));
    return (await recoup(`disputes show ${disputeId}`)).stdout;
  };
  const other = await show('13.1');
  expect(other).toMatch(/Verdict +does not apply to this reason \(Visa Compelling Evidence 3\.0\)/);
  expect(other).not.toContain('RULE');
  expect(await show('none')).toMatch(/Verdict +none: the reason code is not known/);
});

it('writes the evidence as a PDF that its owner alone may read, or shows it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'recoup-cli-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'evidence.pdf');
  const [written, shown] = await Promise.all([
    recoup(`disputes evidence ${disputeId} --pdf ${file}`),
    recoup(`disputes evidence ${disputeId} --json`),
  ]);
  expect(written.stdout).toBe(`Written to ${file}.\n`);
  expect(await readFile(file, 'utf8')).toBe('%PDF-1.7');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(JSON.parse(shown.stdout)).toMatchObject({ content_hash: packet.contentHash });
  expect(asked).toContainEqual(
    expect.objectContaining({
      merchantId: expect.stringMatching(/^mer_/),
      actor: 'operator',
      reason: `evidence of ${disputeId}`,
    }),
  );
});

it('stages an answer, and says why one cannot be given', async () => {
  const [staged, refused, unknown] = await Promise.all([
    recoup(`disputes submit ${disputeId} --stage`),
    recoup(`disputes submit ${disputeId}`),
    recoup('disputes submit dis_2'),
  ]);
  expect(staged.stdout).toBe('staged (chargeback)\n');
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining('The dispute awaits no answer: it is lost.'),
  ]);
  expect(unknown.code).toBe(1);
  expect(unknown.stderr).toContain('There is no dispute with this id.');
});

it('accepts one only where it is told twice, and says before what that gives away', async () => {
  const [warned, accepted] = await Promise.all([
    recoup(`disputes accept ${disputeId}`),
    recoup(`disputes accept ${disputeId} --yes`),
  ]);
  expect([warned.code, warned.stderr]).toEqual([
    2,
    expect.stringContaining('This gives 49 EUR away at Stripe, for good: say --yes to do it.'),
  ]);
  expect(accepted.stdout).toBe('accepted (chargeback)\n');
  const accepting = expect.objectContaining({ disputeId, actor: 'operator' });
  expect(asked.filter((input) => !JSON.stringify(input).includes('reason'))).toEqual([accepting]);
});

it('gives one to an operator, lists by whose work it is, and notes what was found out', async () => {
  const who = { name: 'Ann', role: 'disputes' };
  const { json } = await service.ask('POST', '/api/operators', who);
  const assigned = await recoup(`disputes assign ${disputeId} --to ${json.id}`);
  expect([assigned.stderr, assigned.stdout]).toEqual(['', 'Ann works on it.\n']);
  const noted = await recoup(`disputes note ${disputeId} --text called`);
  const noteId = /^Noted as (dnt_\w+)\.\n$/.exec(noted.stdout)?.[1];
  const [hers, nobodys, shown] = await Promise.all([
    recoup(`disputes list --assigned-to ${json.id}`),
    recoup('disputes list --assigned-to none'),
    recoup(`disputes show ${disputeId}`),
  ]);
  expect(hers.stdout).toMatch(/ Ann\n$/);
  expect(nobodys.stdout).toBe('There is no dispute.\n');
  expect(shown.stdout).toContain('Assigned to  Ann');
  expect(shown.stdout).toMatch(/\nNote dnt_\w+ of the operator token, .*:\ncalled\n$/);
  const [removed, neither, freed] = await Promise.all([
    recoup(`disputes note ${disputeId} --remove ${noteId}`),
    recoup(`disputes note ${disputeId}`),
    recoup(`disputes assign ${disputeId} --to none`),
  ]);
  expect(removed.stdout).toBe('The note is removed.\n');
  expect([neither.code, neither.stderr]).toEqual([2, expect.stringContaining('Give --text or')]);
  expect(freed.stdout).toBe('Nobody works on it.\n');
});

it('shows the letter to the issuer, and writes it from a file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'recoup-cli-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'letter.txt');
  await writeFile(file, 'Dear issuer');
  const shown = await recoup(`disputes rebuttal ${disputeId}`);
  expect(shown.stdout).toBe('Dear bank\n\n9 of 20000 characters. It goes to uncategorized_text.\n');
  const written = await recoup(`disputes rebuttal ${disputeId} --file ${file}`);
  expect(written.stdout).toBe('Kept: 11 of 20000 characters. It goes to uncategorized_text.\n');
  expect(letter).toBe('Dear issuer');
  await recoup(`disputes rebuttal ${disputeId} --remove`);
  expect(letter).toBe('');
});

it('adds a file, lists it, saves it and removes it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'recoup-cli-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'June.pdf');
  await writeFile(file, fileBytes);
  const added = await recoup(`disputes attach ${disputeId} ${file} --kind receipt`);
  expect([added.stdout, added.stderr]).toEqual(['fil_1: receipt\n', '']);
  expect(attached).toMatchObject([{ name: 'June.pdf', sha256: '%PDF-1.7 %%EOF' }]);
  const listed = await recoup(`disputes attachments ${disputeId}`);
  expect(listed.stdout).toMatch(
    /^ATTACHMENT +KIND .* GOES TO\nfil_1 +receipt +June\.pdf .* receipt\n$/,
  );
  const to = join(folder, 'saved.pdf');
  await recoup(`disputes attachments ${disputeId} --save fil_1 --to ${to}`);
  expect(await readFile(to)).toEqual(Buffer.from(fileBytes));
  const removed = await recoup(`disputes attachments ${disputeId} --remove fil_1`);
  expect(removed.stdout).toBe('There is no file.\n');
  const [wrong, missing] = await Promise.all([
    recoup(`disputes attach ${disputeId} ${file} --kind invoice`),
    recoup(`disputes attach ${disputeId} ${file}x --kind receipt`),
  ]);
  expect([wrong.code, missing.code]).toEqual([2, 2]);
  expect(missing.stderr).toContain('cannot be read (ENOENT)');
});
