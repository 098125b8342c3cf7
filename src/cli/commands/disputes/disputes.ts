import type { Command } from 'commander';
import type { Static } from 'typebox';
import { AppError } from '../../../domain/errors.ts';
import { pspName } from '../../../domain/psps/psp-name.ts';
import type { acceptanceShape } from '../../../http/disputes/disputes/acceptance-shape.ts';
import type { evidenceShape } from '../../../http/disputes/disputes/evidence-shape.ts';
import type { submissionShape } from '../../../http/disputes/disputes/submission-shape.ts';
import type { assignedShape } from '../../../operator/disputes/assign-dispute.ts';
import type { disputeShape } from '../../../operator/disputes/list-disputes.ts';
import type { noteShape } from '../../../operator/disputes/note-shape.ts';
import type { disputeDetailShape } from '../../../operator/disputes/show-dispute.ts';
import type { Cli, ShowOptions } from '../../cli.ts';
import { CliError, exitCodes } from '../../cli-error.ts';
import { examples } from '../../examples.ts';
import { pathOf } from '../../operator-client.ts';
import { savePdf } from '../../save-pdf.ts';
import { details, more, table, time } from '../../table.ts';
import { addPageOptions, type PageOptions } from '../page-options.ts';
import { addAttachments } from './attachments.ts';
import { addRebuttal } from './rebuttal.ts';

type Dispute = Static<typeof disputeShape>;
type DisputeDetail = Static<typeof disputeDetailShape>;
type Evidence = Static<typeof evidenceShape>;
type Submission = Static<typeof submissionShape>;
type Acceptance = Static<typeof acceptanceShape>;
type Note = Static<typeof noteShape>;
type Assigned = Static<typeof assignedShape>;

interface NoteOptions extends ShowOptions {
  readonly text?: string;
  readonly remove?: string;
}

interface ListOptions extends PageOptions {
  readonly merchant?: string;
  readonly status?: string;
  readonly dueBefore?: string;
  readonly assignedTo?: string;
}

/** recoup disputes */
export function addDisputes(program: Command, cli: Cli): void {
  const command = program
    .command('disputes')
    .description('list, show, answer, accept and assign disputes; manage their evidence')
    .addHelpText(
      'after',
      examples(
        'disputes list --status needs_response',
        'disputes show dis_4c1v…',
        'disputes evidence dis_4c1v… --pdf evidence.pdf',
        'disputes rebuttal dis_4c1v… --file letter.txt',
        'disputes attach dis_4c1v… receipt.pdf --kind receipt',
        'disputes submit dis_4c1v… --stage',
        'disputes accept dis_4c1v… --yes',
        'disputes assign dis_4c1v… --to me',
        "disputes note dis_4c1v… --text 'The parcel was signed for.'",
      ),
    );
  addList(command, cli);
  command
    .command('show')
    .description('show a dispute with its matches, verdict and answer')
    .argument('<dispute>')
    .action(async (id: string, options: ShowOptions) => {
      const client = await cli.open();
      const dispute = await client.get<DisputeDetail>(`/disputes${pathOf(id)}`);
      cli.show(options, dispute, () => disputeText(dispute));
    });
  command
    .command('evidence')
    .description('show the packet of evidence, or write it to a PDF')
    .argument('<dispute>')
    .option('--pdf <file>', 'write the PDF to this file')
    .action(async (id: string, options: ShowOptions & { pdf?: string }) => {
      const path = `/disputes${pathOf(id)}/evidence`;
      if (options.pdf !== undefined) return savePdf(cli, { path, file: options.pdf, options });
      const client = await cli.open();
      const evidence = await client.get<Evidence>(path);
      cli.show(options, evidence, () => JSON.stringify(evidence, null, 2));
    });
  addRebuttal(command, cli);
  addAttachments(command, cli);
  command
    .command('submit')
    .description('answer a dispute at its PSP, once: stage the evidence, then submit it')
    .argument('<dispute>')
    .option('--stage', 'stage the evidence at the PSP and submit nothing')
    .action(async (id: string, options: ShowOptions & { stage?: true }) => {
      const client = await cli.open();
      const body = options.stage === true ? { stage_only: true } : {};
      const answer = await client.post<Submission>(`/disputes${pathOf(id)}/submit`, body);
      cli.show(options, answer, () => answerText(answer));
    });
  addAccept(command, cli);
  addAssign(command, cli);
  addNote(command, cli);
}

function addNote(command: Command, cli: Cli): void {
  command
    .command('note')
    .description('write a note on a dispute for the other operators, or remove one')
    .argument('<dispute>')
    .option('--text <words>', 'the text, up to 2,000 characters; stored encrypted')
    .option('--remove <note>', 'remove this note; only an administrator may remove those of others')
    .action(async (id: string, options: NoteOptions) => {
      const { text, remove } = options;
      if ((text === undefined) === (remove === undefined)) {
        throw new CliError(exitCodes.usage, 'Give --text or --remove.');
      }
      const client = await cli.open();
      const path = `/disputes${pathOf(id)}/notes`;
      if (remove !== undefined) {
        await client.delete(`${path}${pathOf(remove)}`);
        return cli.show(options, { removed: remove }, () => 'The note is removed.');
      }
      const note = await client.post<Note>(path, { text });
      cli.show(options, note, () => `Noted as ${note.id}.`);
    });
}

function addAssign(command: Command, cli: Cli): void {
  command
    .command('assign')
    .description('assign a dispute to an operator')
    .argument('<dispute>')
    .requiredOption('--to <operator>', 'the id of an operator, me, or none for nobody')
    .action(async (id: string, options: ShowOptions & { to: string }) => {
      const client = await cli.open();
      const body = { assigned_to: options.to };
      const answer = await client.post<Assigned>(`/disputes${pathOf(id)}/assign`, body);
      const { assignee } = answer;
      cli.show(options, answer, () =>
        assignee === undefined ? 'Nobody works on it.' : `${assignee.name} works on it.`,
      );
    });
}

/** It cannot be taken back: what would be given away is said first. */
function addAccept(command: Command, cli: Cli): void {
  command
    .command('accept')
    .description('accept a dispute at its PSP: the disputed money is lost for good')
    .argument('<dispute>')
    .option('--yes', 'required: without it nothing is done')
    .action(async (id: string, options: ShowOptions & { yes?: true }) => {
      const client = await cli.open();
      const path = `/disputes${pathOf(id)}`;
      if (options.yes !== true) {
        const dispute = await client.get<DisputeDetail>(path);
        throw new AppError('conflict', notAccepted(dispute));
      }
      const answer = await client.post<Acceptance>(`${path}/accept`);
      cli.show(options, answer, () => answerText(answer));
    });
}

function notAccepted(dispute: DisputeDetail): string {
  const { psp, accept_obstacle: obstacle } = dispute;
  if (obstacle !== undefined) return obstacle.message;
  const money = amountOf(dispute) ?? 'what is disputed';
  return `This gives ${money} away at ${pspName(psp)}, for good: say --yes to do it.`;
}

function addList(command: Command, cli: Cli): void {
  addPageOptions(command.command('list').description('list disputes, newest first'))
    .option('--merchant <merchant>', 'only this merchant')
    .option('--status <status>', 'only this status, such as needs_response')
    .option('--due-before <time>', 'only disputes whose answer is due before this time (RFC 3339)')
    .option(
      '--assigned-to <operator>',
      'only disputes assigned to this operator, to me, or to none',
    )
    .action(async (options: ListOptions) => {
      const client = await cli.open();
      const page = await client.get<{ items: Dispute[]; next_cursor?: string }>('/disputes', {
        merchant_id: options.merchant,
        status: options.status,
        due_before: options.dueBefore,
        assigned_to: options.assignedTo,
        limit: options.limit,
        cursor: options.cursor,
      });
      cli.show(options, page, () => disputeTable(page.items) + more(page.next_cursor));
    });
}

function disputeTable(items: readonly Dispute[]): string {
  return table(
    items,
    [
      { head: 'DISPUTE', text: (item) => item.id },
      { head: 'MERCHANT', text: (item) => item.merchant_id },
      { head: 'PSP', text: (item) => item.psp },
      { head: 'STATE', text: (item) => item.state },
      { head: 'REASON', text: (item) => reasonOf(item) },
      { head: 'AMOUNT', text: amountOf, align: 'right' },
      { head: 'DUE', text: (item) => time(item.respond_by) },
      { head: 'MATCH', text: (item) => item.match_state },
      { head: 'ASSIGNED TO', text: (item) => item.assignee?.name },
    ],
    'There is no dispute.',
  );
}

function disputeText(dispute: DisputeDetail): string {
  const { verdict, submission, acceptance } = dispute;
  const head = details([
    ['Dispute', `${dispute.id} (${dispute.psp} ${dispute.psp_dispute_id})`],
    ['Merchant', dispute.merchant_id],
    ['State', dispute.state],
    ['Reason', reasonOf(dispute)],
    ['Amount', amountOf(dispute)],
    ['Due', time(dispute.respond_by)],
    ['Match', dispute.match_state],
    ['Assigned to', dispute.assignee?.name],
    ['Answer', submission && answerText(submission)],
    ['Acceptance', acceptance && answerText(acceptance)],
    ['Verdict', verdict && verdictText(verdict)],
  ]);
  if (verdict !== undefined && verdict.applies !== 'yes') {
    return [head, ...(dispute.notes ?? []).map(noteText)].join('\n\n');
  }
  const rules = table(
    verdict?.rules ?? [],
    [
      { head: 'RULE', text: (rule) => rule.id },
      { head: 'RESULT', text: (rule) => rule.result },
      { head: 'FOUND', text: (rule) => rule.detail },
      { head: 'TO DO', text: (rule) => rule.fix },
    ],
    'There is no verdict: the amount in dispute is not known.',
  );
  return [head, rules, ...(dispute.notes ?? []).map(noteText)].join('\n\n');
}

function noteText({ id, author_name: name, written_at: at, text, ...note }: Note): string {
  const author = name ?? note.author_id ?? 'the operator token';
  return `Note ${id} of ${author}, ${time(at)}:\n${text}`;
}

function verdictText(verdict: NonNullable<DisputeDetail['verdict']>): string {
  const { rule_set, applies, eligible } = verdict;
  if (applies === 'no') return `does not apply to this reason (${rule_set.words})`;
  if (applies === 'unknown') return `none: the reason code is not known (${rule_set.words})`;
  const caveat = rule_set.unconfirmed ? ', figures not confirmed by the network' : '';
  return `${eligible ? 'eligible' : 'not eligible'} (${rule_set.words}${caveat})`;
}

function answerText(answer: Submission | Acceptance): string {
  const { state, stage, reason } = answer;
  const isAskedAgain = 'is_asked_again' in answer && answer.is_asked_again === true;
  const more = isAskedAgain ? 'another one is asked for: submit again' : reason;
  return [`${state} (${stage.replaceAll('_', ' ')})`, more].filter(Boolean).join(': ');
}

function reasonOf({ network, reason_code: code, reason }: Dispute): string | undefined {
  const words = [network, code ?? reason].filter(Boolean).join(' ');
  return words === '' ? undefined : words;
}

function amountOf({ amount, currency }: Dispute): string | undefined {
  return amount === undefined ? undefined : `${amount} ${currency}`;
}
