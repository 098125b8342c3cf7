import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { examples } from '../../examples.ts';
import type { MoveOptions } from './run-move.ts';

/** recoup merchants move: between the databases of two cells, which it speaks to itself. */
export function addMoveMerchant(merchants: Command, cli: Cli): void {
  merchants
    .command('move')
    .description('move a merchant to another cell; run it again to resume')
    .argument('<merchant>')
    .requiredOption(
      '--to <file>',
      'the settings of the other cell, one NAME=value per line: DATABASE_URL, DATABASE_SCHEMA, ENCRYPTION_KEY',
    )
    .option('--recovery-url <url>', 'where this cell reaches the recovery API of the other one')
    .option('--disputes-url <url>', 'where this cell reaches the disputes API of the other one')
    .option('--drain-timeout <seconds>', 'how long to wait for work under way', '120')
    .option('--back', 'undo a move that has not switched yet')
    .option('--clear', 'remove what this cell has kept of a merchant that has moved')
    .addHelpText('after', help)
    .action(async (merchant: string, options: MoveOptions) => {
      // No other command waits for the database's client to load.
      const { runMove } = await import('./run-move.ts');
      await runMove(cli, merchant, options);
    });
}

const help = `${examples(
  'merchants move mer_cell_1_3v5k… --to cell_2.env --recovery-url http://10.0.2.1:8080 --disputes-url http://10.0.2.1:8081',
  'merchants move mer_cell_1_3v5k… --to cell_2.env --clear    later: remove the old rows',
  'merchants move mer_cell_1_3v5k… --to cell_2.env --back     before the switch: undo',
)}
Run it with the settings of the merchant's current cell as environment variables, on a machine that
reaches both databases. docs/moving-between-cells.md says what happens meanwhile.`;
