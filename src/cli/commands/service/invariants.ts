import type { Command } from 'commander';
import type { Cli, ShowOptions } from '../../cli.ts';
import { CliError, exitCodes } from '../../cli-error.ts';
import { examples } from '../../examples.ts';
import { table } from '../../table.ts';

export interface InvariantsAnswer {
  readonly holds: boolean;
  readonly items: readonly {
    readonly name: string;
    readonly promise: string;
    readonly breaches: number;
  }[];
}

/** recoup invariants */
export function addInvariants(program: Command, cli: Cli): void {
  program
    .command('invariants')
    .description('checks what must always hold; ends with 1 when something does not')
    .addHelpText('after', examples('invariants', 'invariants --json'))
    .action(async (options: ShowOptions) => {
      const client = await cli.open();
      const answer = await client.get<InvariantsAnswer>('/invariants');
      cli.show(options, answer, () => invariantTable(answer));
      if (!answer.holds) throw breached(answer);
    });
}

/** What to end with when a promise is broken. */
export function breached(answer: InvariantsAnswer): CliError {
  const names = answer.items.filter((item) => item.breaches > 0).map((item) => item.name);
  return new CliError(exitCodes.refused, `Broken: ${names.join(', ')}.`);
}

function invariantTable(answer: InvariantsAnswer): string {
  return table(
    answer.items,
    [
      { head: 'INVARIANT', text: (item) => item.name },
      { head: 'BREACHES', text: (item) => item.breaches.toString(), align: 'right' },
      { head: 'PROMISE', text: (item) => item.promise },
    ],
    'Nothing is checked.',
  );
}
