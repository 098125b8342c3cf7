import type { Command } from 'commander';
import type { Static } from 'typebox';
import type { whatIfShape } from '../../../operator/what-ifs/what-if-shape.ts';
import type { Cli, ShowOptions } from '../../cli.ts';
import { CliError, exitCodes } from '../../cli-error.ts';
import { examples } from '../../examples.ts';
import type { OperatorClient } from '../../operator-client.ts';
import { details } from '../../table.ts';

export type WhatIfAnswer = Static<typeof whatIfShape>;
type Result = NonNullable<WhatIfAnswer['result']>;
type Claim = Result['payment'];
type Estimate = NonNullable<Claim['snips']>;

interface WhatIfOptions extends ShowOptions {
  readonly policy: string;
  readonly window: string;
  readonly tries: string;
}

/** Between two looks at a test that runs. */
const lookMs = 500;

/** recoup what-if */
export function addWhatIf(program: Command, cli: Cli): void {
  program
    .command('what-if')
    .description("test a window, a number of tries and a policy on a merchant's own charges")
    .argument('<merchant>')
    .option('--policy <name>', 'learned, fixed or even', 'learned')
    .option('--window <days>', 'days from the failure to the last try, 1 to 60', '28')
    .option('--tries <number>', 'tries per recovery, 1 to 20', '8')
    .addHelpText(
      'after',
      `${examples('what-if mer_3v5k…', 'what-if mer_3v5k… --window 14 --tries 4', 'what-if mer_3v5k… --policy fixed --json')}
It charges nothing and changes nothing. docs/backtest.md explains the figures.
Exit codes: 0 there is a result, even one that claims nothing; 1 refused or failed.`,
    )
    .action(async (merchant: string, options: WhatIfOptions) => {
      const client = await cli.open();
      const asked = await client.post<WhatIfAnswer>('/what-ifs', {
        merchant_id: merchant,
        policy: options.policy,
        window_days: Number(options.window),
        max_attempts: Number(options.tries),
      });
      const answer = await untilTested(client, cli, asked);
      if (answer.state === 'failed') {
        throw new CliError(exitCodes.refused, answer.error ?? 'The test failed.');
      }
      cli.show(options, answer, () => whatIfText(answer));
    });
}

async function untilTested(
  client: OperatorClient,
  cli: Cli,
  asked: WhatIfAnswer,
): Promise<WhatIfAnswer> {
  for (let told = ''; ; ) {
    const { what_ifs: all } = await client.get<{ readonly what_ifs: readonly WhatIfAnswer[] }>(
      '/what-ifs',
      { merchant_id: asked.merchant_id },
    );
    const found = all.find(({ id }) => id === asked.id) ?? asked;
    if (found.state === 'done' || found.state === 'failed') return found;
    const words = `${found.state}: ${found.charges_read} charges read`;
    if (words !== told) cli.note(words);
    told = words;
    await cli.pause(lookMs);
  }
}

function whatIfText({ policy, window_days, max_attempts, result }: WhatIfAnswer): string {
  if (result === undefined) return 'There is no result.';
  const { next_try: next, payment, money } = result;
  return [
    `${policy}, ${window_days} days, ${max_attempts} tries`,
    details([
      ['history', `${result.charges} charges, ${result.failures} failed payments`],
      ['decisions', `${result.decisions}, of which ${result.asked} were asked`],
      ['tries again', `at ${result.would_try} of ${result.asked}`],
      ['median days', result.median_delay_days?.toFixed(1)],
      ['tries made', triesText(result)],
      ['recovers', claimText(payment)],
      ...money.map((each) => [`in ${each.currency}`, moneyText(each)] as const),
      ['next try', neverTries(result) ? 'none: these terms never try again' : claimText(next)],
    ]),
    ...(result.propensities === 'estimated'
      ? [
          'The history gives no propensities: the chance of each day was counted. See docs/backtest.md.',
        ]
      : []),
    'Brackets: 95 % intervals, clustered by payer; ess: effective sample. A whole payment is weak\n' +
      'evidence, a comparison of live traffic is strong.',
  ].join('\n\n');
}

/** Such as a fixed schedule whose first day is after the window. */
function neverTries({ asked, would_try: tries }: Result): boolean {
  return asked > 0 && tries === 0;
}

/** What comes back of all that failed, in the currency's major unit. */
function moneyText(money: Result['money'][number]): string {
  const { recovered, logged, gain, message, failed, payments, n } = money;
  const of = `of ${failed} of ${payments} failed payments`;
  if (recovered === undefined) return `not claimed ${of}: ${message}`;
  const parts = [
    `${amounts(recovered)} ${of}`,
    ...(logged === undefined ? [] : [`the log ${amounts(logged)}`]),
    ...(gain === undefined ? [] : [`the difference ${amounts(gain)}`]),
    `n ${n}, ess ${Math.round(money.effective_sample ?? 0)}`,
  ];
  return parts.join('; ');
}

function amounts({ value, low, high }: Estimate): string {
  return `${value} [${low}, ${high}]`;
}

function triesText({ tries, succeeded, success_rate: rate }: Result): string {
  return `${succeeded} of n ${tries} succeeded${rate === undefined ? '' : `, ${percent(rate)}`}`;
}

function claimText({ claimed, snips, doubly_robust: robust, ...claim }: Claim): string {
  if (!claimed || snips === undefined) return `not claimed: ${claim.message}`;
  const parts = [
    percent(snips),
    ...(robust === undefined ? [] : [`doubly robust ${percent(robust)}`]),
    ...(claim.logged === undefined ? [] : [`the log ${percent(claim.logged)}`]),
    `n ${claim.n}, ess ${Math.round(claim.effective_sample ?? 0)}`,
  ];
  return parts.join('; ');
}

function percent({ value, low, high }: Estimate): string {
  const text = (share: number) => (share * 100).toFixed(1);
  return `${text(value)} % [${text(low)}, ${text(high)}]`;
}
