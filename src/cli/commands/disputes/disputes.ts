import type { Command } from 'commander';
import type { Static } from 'typebox';
import type { evidenceShape } from '../../../http/disputes/disputes/evidence-shape.ts';
import type { submissionShape } from '../../../http/disputes/disputes/submission-shape.ts';
import type { disputeShape } from '../../../operator/disputes/list-disputes.ts';
import type { disputeDetailShape } from '../../../operator/disputes/show-dispute.ts';
import type { Cli, ShowOptions } from '../../cli.ts';
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

interface ListOptions extends PageOptions {
  readonly merchant?: string;
  readonly status?: string;
  readonly dueBefore?: string;
}

/** recoup disputes */
export function addDisputes(program: Command, cli: Cli): void {
  const command = program
    .command('disputes')
    .description('lists disputes, shows their verdicts and evidence, answers them at their PSPs')
    .addHelpText(
      'after',
      examples(
        'disputes list --status needs_response',
        'disputes show dis_4c1v…',
        'disputes evidence dis_4c1v… --pdf evidence.pdf',
        'disputes rebuttal dis_4c1v… --file letter.txt',
        'disputes attach dis_4c1v… receipt.pdf --kind receipt',
        'disputes submit dis_4c1v… --stage',
      ),
    );
  addList(command, cli);
  command
    .command('show')
    .description('shows one with its matches, the verdict on it and its answer')
    .argument('<dispute>')
    .action(async (id: string, options: ShowOptions) => {
      const client = await cli.open();
      const dispute = await client.get<DisputeDetail>(`/disputes${pathOf(id)}`);
      cli.show(options, dispute, () => disputeText(dispute));
    });
  command
    .command('evidence')
    .description('shows the packet of evidence, or writes it as a PDF')
    .argument('<dispute>')
    .option('--pdf <file>', 'writes the PDF to this file')
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
    .description('answers one at its PSP: staged first, then submitted, once')
    .argument('<dispute>')
    .option('--stage', 'stages the evidence at the PSP, and submits nothing')
    .action(async (id: string, options: ShowOptions & { stage?: true }) => {
      const client = await cli.open();
      const body = options.stage === true ? { stage_only: true } : {};
      const answer = await client.post<Submission>(`/disputes${pathOf(id)}/submit`, body);
      cli.show(options, answer, () => submissionText(answer));
    });
}

function addList(command: Command, cli: Cli): void {
  addPageOptions(command.command('list').description('lists them, the newest first'))
    .option('--merchant <merchant>', 'only those of this merchant')
    .option('--status <status>', 'only those of this status, such as needs_response')
    .option('--due-before <time>', 'only those whose answer is due before this RFC 3339 time')
    .action(async (options: ListOptions) => {
      const client = await cli.open();
      const page = await client.get<{ items: Dispute[]; next_cursor?: string }>('/disputes', {
        merchant_id: options.merchant,
        status: options.status,
        due_before: options.dueBefore,
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
    ],
    'There is no dispute.',
  );
}

function disputeText(dispute: DisputeDetail): string {
  const { verdict, submission } = dispute;
  const head = details([
    ['Dispute', `${dispute.id} (${dispute.psp} ${dispute.psp_dispute_id})`],
    ['Merchant', dispute.merchant_id],
    ['State', dispute.state],
    ['Reason', reasonOf(dispute)],
    ['Amount', amountOf(dispute)],
    ['Due', time(dispute.respond_by)],
    ['Match', dispute.match_state],
    ['Answer', submission && submissionText(submission)],
    ['Verdict', verdict && verdictText(verdict)],
  ]);
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
  return `${head}\n\n${rules}`;
}

function verdictText({ rule_set, eligible }: NonNullable<DisputeDetail['verdict']>): string {
  const caveat = rule_set.unconfirmed ? ', figures not confirmed by the network' : '';
  return `${eligible ? 'eligible' : 'not eligible'} (${rule_set.words}${caveat})`;
}

function submissionText({ state, stage, reason }: Submission): string {
  return [`${state} (${stage.replaceAll('_', ' ')})`, reason].filter(Boolean).join(': ');
}

function reasonOf({ network, reason_code: code, reason }: Dispute): string | undefined {
  const words = [network, code ?? reason].filter(Boolean).join(' ');
  return words === '' ? undefined : words;
}

function amountOf({ amount, currency }: Dispute): string | undefined {
  return amount === undefined ? undefined : `${amount} ${currency}`;
}
