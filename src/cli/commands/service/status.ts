import type { Command } from 'commander';
import type { Cli, ShowOptions } from '../../cli.ts';
import { CliError, exitCodes } from '../../cli-error.ts';
import { examples } from '../../examples.ts';
import { details } from '../../table.ts';
import { breached, type InvariantsAnswer } from './invariants.ts';

/** recoup status */
export function addStatus(program: Command, cli: Cli): void {
  program
    .command('status')
    .description('show whether the service runs, can work, and keeps its promises')
    .addHelpText('after', examples('status', 'status --json'))
    .action(async (options: ShowOptions) => {
      const client = await cli.open();
      const isReady = await client.isReady();
      const invariants = isReady ? await client.get<InvariantsAnswer>('/invariants') : undefined;
      const status = { url: client.url, ready: isReady, invariants };
      cli.show(options, status, () =>
        details([
          ['service', client.url],
          ['ready', isReady ? 'yes' : 'no'],
          ['invariants', invariants && words(invariants)],
        ]),
      );
      if (!isReady)
        throw new CliError(exitCodes.refused, 'The service is not ready; recoup doctor says why.');
      if (invariants !== undefined && !invariants.holds) throw breached(invariants);
    });
}

function words({ items }: InvariantsAnswer): string {
  const kept = items.filter((item) => item.breaches === 0).length;
  return `${kept} of ${items.length} hold`;
}
