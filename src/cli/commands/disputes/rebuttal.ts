import type { Command } from 'commander';
import type { Static } from 'typebox';
import type { rebuttalShape } from '../../../http/disputes/disputes/rebuttal-shape.ts';
import type { disputeDetailShape } from '../../../operator/disputes/show-dispute.ts';
import type { Cli, ShowOptions } from '../../cli.ts';
import { pathOf } from '../../operator-client.ts';

type Rebuttal = Static<typeof rebuttalShape>;

/** recoup disputes rebuttal */
export function addRebuttal(command: Command, cli: Cli): void {
  command
    .command('rebuttal')
    .description('show the letter to the issuer, or set it from a file')
    .argument('<dispute>')
    .option('--file <file>', 'set the letter to the text of this file; - reads standard input')
    .option('--remove', 'remove the letter')
    .action(async (id: string, options: ShowOptions & { file?: string; remove?: true }) => {
      const path = `${await disputePathOf(cli, id)}/rebuttal`;
      const client = await cli.open();
      const isWritten = options.file !== undefined || options.remove === true;
      if (isWritten) {
        const text = options.file === undefined ? '' : await cli.readFile(options.file);
        await client.put(path, { text });
      }
      const rebuttal = await client.get<Rebuttal>(path);
      cli.show(options, rebuttal, () => rebuttalText(rebuttal, isWritten));
    });
}

/** Where what is added to a dispute lies: below its merchant, whom the dispute names. */
export async function disputePathOf(cli: Cli, id: string): Promise<string> {
  const client = await cli.open();
  const dispute = await client.get<Static<typeof disputeDetailShape>>(`/disputes${pathOf(id)}`);
  return `/merchants${pathOf(dispute.merchant_id)}/disputes${pathOf(id)}`;
}

function rebuttalText({ text, limit, goes_to: goesTo }: Rebuttal, isWritten: boolean): string {
  if (text === undefined) return `There is no rebuttal; one may have ${limit} characters.`;
  const kept = `${[...text].length} of ${limit} characters. ${goesTo}`;
  return isWritten ? `Kept: ${kept}` : `${text}\n\n${kept}`;
}
