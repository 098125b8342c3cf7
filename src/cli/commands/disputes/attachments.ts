import { basename } from 'node:path';
import { type Command, Option } from 'commander';
import type { Static } from 'typebox';
import { attachWords } from '../../../disputes/added/attach-words.ts';
import { attachmentBytes, attachmentKinds } from '../../../disputes/added/attachment.ts';
import type {
  attachmentShape,
  attachmentsShape,
} from '../../../http/disputes/disputes/attachment-shape.ts';
import type { Cli, ShowOptions } from '../../cli.ts';
import { CliError, exitCodes } from '../../cli-error.ts';
import { pathOf } from '../../operator-client.ts';
import { table, time } from '../../table.ts';
import { disputePathOf } from './rebuttal.ts';

type Attachment = Static<typeof attachmentShape>;
type Attachments = Static<typeof attachmentsShape>;

/** recoup disputes attach, recoup disputes attachments */
export function addAttachments(command: Command, cli: Cli): void {
  command
    .command('attach')
    .description('add a file to the evidence: a PDF, a PNG or a JPEG')
    .argument('<dispute>')
    .argument('<file>')
    .addOption(
      new Option('--kind <kind>', 'what it shows').choices(attachmentKinds).makeOptionMandatory(),
    )
    .action(async (id: string, path: string, options: ShowOptions & { kind: string }) => {
      const bytes = await cli.readBytes(path);
      if (bytes.length > attachmentBytes)
        throw new CliError(exitCodes.usage, attachWords.too_large);
      const client = await cli.open();
      const to = `${await disputePathOf(cli, id)}/attachments`;
      const file = { name: basename(path), bytes };
      const added = await client.upload<Attachment>(to, { kind: options.kind }, file);
      cli.show(options, added, () => `${added.id}: ${placeText(added)}`);
    });
  command
    .command('attachments')
    .description('list the files of the evidence; save or remove one')
    .argument('<dispute>')
    .option('--save <attachment>', 'save this file; --to says where')
    .option('--to <file>', 'the file that --save writes')
    .option('--remove <attachment>', 'remove this file')
    .action(async (id: string, options: Options) => act(cli, id, options));
}

type Options = ShowOptions & { save?: string; to?: string; remove?: string };

async function act(cli: Cli, id: string, options: Options): Promise<void> {
  const client = await cli.open();
  const path = `${await disputePathOf(cli, id)}/attachments`;
  if (options.save !== undefined) {
    const to = options.to;
    if (to === undefined) throw new CliError(exitCodes.usage, '--save needs --to <file>.');
    const bytes = await client.download(`${path}${pathOf(options.save)}`, '*/*');
    await cli.writeFile(to, bytes);
    const written = { file: to, bytes: bytes.length };
    return cli.show(options, written, () => `Written to ${to}.`);
  }
  if (options.remove !== undefined) await client.delete(`${path}${pathOf(options.remove)}`);
  const shown = await client.get<Attachments>(path);
  cli.show(options, shown, () => attachmentTable(shown.attachments));
}

function attachmentTable(attachments: readonly Attachment[]): string {
  return table(
    attachments,
    [
      { head: 'ATTACHMENT', text: (item) => item.id },
      { head: 'KIND', text: (item) => item.kind },
      { head: 'NAME', text: (item) => item.name },
      { head: 'BYTES', text: (item) => item.bytes.toString(), align: 'right' },
      { head: 'ADDED', text: (item) => time(item.added_at) },
      { head: 'GOES TO', text: placeText },
    ],
    'There is no file.',
  );
}

function placeText({ goes_to: field, why_not: why }: Attachment): string {
  return field ?? why ?? '';
}
