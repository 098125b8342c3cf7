import type { Command } from 'commander';
import type { Static } from 'typebox';
import type {
  reconciliationShape,
  restoreCheckShape,
} from '../../../operator/reconciliations/reconciliation-shape.ts';
import type { Cli, ShowOptions } from '../../cli.ts';
import { CliError, exitCodes } from '../../cli-error.ts';
import { examples } from '../../examples.ts';
import type { OperatorClient } from '../../operator-client.ts';
import { table } from '../../table.ts';

type Run = Static<typeof reconciliationShape>;
interface RunPage {
  readonly items: readonly Run[];
  readonly next_cursor?: string;
}
type Check = Static<typeof restoreCheckShape>;

interface ReconcileOptions extends ShowOptions {
  readonly merchant?: string;
  readonly psp?: string;
  readonly since?: string;
  readonly report?: string;
}

/** Between two looks at what runs. */
const lookMs = 500;
const runsOfPage = 200;

/** recoup reconcile */
export function addReconcile(program: Command, cli: Cli): void {
  program
    .command('reconcile')
    .description("compare charges with the PSPs' own lists; exits with 1 if something differs")
    .option('--merchant <id>', 'only this merchant')
    .option('--psp <psp>', 'only this PSP')
    .option(
      '--since <time>',
      'only charges from this time on (default: where the last run ended, or a report begins)',
    )
    .option(
      '--report <file>',
      'a report of the PSP as CSV, if it has no list (needs --merchant and --psp)',
    )
    .addHelpText(
      'after',
      `${examples('reconcile', 'reconcile --merchant mer_3v5k… --psp stripe --since 2026-06-01T00:00:00Z')}
Each difference becomes an incident: recoup incidents shows both records and what can be done.`,
    )
    .action(async (options: ReconcileOptions) => {
      const client = await cli.open();
      const report = options.report && (await cli.readFile(options.report));
      const { items } = await client.post<{ items: readonly Run[] }>('/reconciliations', {
        merchant_id: options.merchant,
        psp: options.psp,
        since: options.since,
        report,
      });
      const runs = await untilEnded(client, cli, items);
      cli.show(options, { items: runs }, () => runTable(runs));
      const findings = runs.reduce((sum, run) => sum + run.findings, 0);
      if (findings > 0) {
        throw new CliError(
          exitCodes.refused,
          `${findings} findings: look at each incident, then refund or dismiss it.`,
        );
      }
    });
}

/** recoup restore-check */
export function addRestoreCheck(program: Command, cli: Cli): void {
  program
    .command('restore-check')
    .description(
      'after a backup was restored, record what was charged since it; nothing is charged meanwhile',
    )
    .option('--from <time>', 'the time of the backup (default: follow the newest check)')
    .addHelpText('after', examples('restore-check', 'restore-check --from 2026-06-06T04:00:00Z'))
    .action(async (options: ShowOptions & { readonly from?: string }) => {
      const client = await cli.open();
      let check = await checkOf(client, options.from);
      for (let told = ''; check.state === 'running'; ) {
        await cli.pause(lookMs);
        const items = await listChecks(client);
        check = items.find((item) => item.restored_from === check.restored_from) ?? check;
        const words = await waitingText(client);
        if (words !== told) cli.note(words);
        told = words;
      }
      cli.show(
        options,
        check,
        () => `done: ${check.payments} open payments are looked up before they are charged`,
      );
    });
}

/** Begins the check of a backup, or finds the newest one: a start with RESTORED_FROM begins one too. */
async function checkOf(client: OperatorClient, from: string | undefined): Promise<Check> {
  if (from !== undefined) {
    return client.post<Check>('/restore-checks', { restored_from: from });
  }
  const [newest] = await listChecks(client);
  if (newest !== undefined) return newest;
  throw new CliError(
    exitCodes.usage,
    'No restored backup was checked yet. Give the time of the backup: --from <time>.',
  );
}

async function listChecks(client: OperatorClient): Promise<readonly Check[]> {
  return (await client.get<{ items: readonly Check[] }>('/restore-checks')).items;
}

async function waitingText(client: OperatorClient): Promise<string> {
  const running: Run[] = [];
  for await (const runs of pagesOfRuns(client)) {
    const found = runs.filter(({ state }) => state === 'running');
    if (found.length === 0) break;
    running.push(...found);
  }
  const waits = running.flatMap(({ psp, detail }) => (detail ? [`${psp}: ${detail}`] : []));
  return [`running: ${running.length} accounts are compared`, ...waits].join('; ');
}

async function untilEnded(
  client: OperatorClient,
  cli: Cli,
  begun: readonly Run[],
): Promise<readonly Run[]> {
  const ids = new Set(begun.map(({ id }) => id));
  for (let told = ''; ; ) {
    const runs = await runsOf(client, ids);
    const running = runs.filter(({ state }) => state === 'running');
    if (running.length === 0) return runs;
    const listed = runs.reduce((sum, run) => sum + run.listed, 0);
    const words = `running: ${running.length} of ${runs.length} accounts, ${listed} charges compared`;
    if (words !== told) cli.note(words);
    told = words;
    await cli.pause(lookMs);
  }
}

/** All of them, over as many pages as there are accounts: one that is left out could be one that differs. */
async function runsOf(client: OperatorClient, ids: ReadonlySet<string>): Promise<readonly Run[]> {
  const found: Run[] = [];
  if (ids.size === 0) return found;
  for await (const runs of pagesOfRuns(client)) {
    found.push(...runs.filter(({ id }) => ids.has(id)));
    if (found.length === ids.size) break;
  }
  return found;
}

/** The newest first. */
async function* pagesOfRuns(client: OperatorClient): AsyncGenerator<readonly Run[]> {
  let cursor: string | undefined;
  do {
    const query = { limit: runsOfPage, cursor };
    const page = await client.get<RunPage>('/reconciliations', query);
    yield page.items;
    cursor = page.next_cursor;
  } while (cursor !== undefined);
}

function runTable(runs: readonly Run[]): string {
  return table(
    runs,
    [
      { head: 'MERCHANT', text: (run) => run.merchant_id },
      { head: 'ACCOUNT', text: (run) => `${run.psp} ${run.connection_version}` },
      { head: 'STATE', text: (run) => run.state },
      { head: 'LISTED', text: (run) => run.listed.toString(), align: 'right' },
      { head: 'RESOLVED', text: (run) => run.settled.toString(), align: 'right' },
      { head: 'FINDINGS', text: (run) => run.findings.toString(), align: 'right' },
      { head: 'DETAIL', text: (run) => run.detail },
    ],
    'No account is connected.',
  );
}
