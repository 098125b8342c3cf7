import type { Command } from 'commander';
import type { Static } from 'typebox';
import type { keysShape, rotationShape } from '../../../operator/keys/keys-shape.ts';
import type { Cli, ShowOptions } from '../../cli.ts';
import { examples } from '../../examples.ts';
import type { OperatorClient } from '../../operator-client.ts';
import { table } from '../../table.ts';

type KeysAnswer = Static<typeof keysShape>;
type Rotation = Static<typeof rotationShape>;

interface RotateOptions extends ShowOptions {
  readonly dataKeys?: true;
}

/** Between two looks at a rotation that runs. */
const lookMs = 500;

/** So many without a key that was wrapped are told of. */
const looksUntilTold = 10;

/** recoup keys */
export function addKeys(program: Command, cli: Cli): void {
  const command = program
    .command('keys')
    .description('list and rotate encryption keys')
    .addHelpText(
      'after',
      `${examples('keys list', 'keys rotate', 'keys rotate --data-keys')}
docs/operating.md has the steps to replace ENCRYPTION_KEY.`,
    );

  command
    .command('list')
    .description('list encryption keys by id, and which of them may be removed')
    .action(async (options: ShowOptions) => {
      const client = await cli.open();
      const answer = await client.get<KeysAnswer>('/keys');
      cli.show(options, answer, () => keyTable(answer));
    });

  command
    .command('rotate')
    .description('rewrap every data key with the current ENCRYPTION_KEY while the service runs')
    .option(
      '--data-keys',
      'also give every merchant a new data key for what is written from now on',
    )
    .addHelpText(
      'after',
      `
If it is interrupted, run it again: it resumes, and does nothing once all is done.`,
    )
    .action(async (options: RotateOptions) => {
      const client = await cli.open();
      const rotation = await client.post<Rotation>('/keys/rotations', {
        new_data_keys: options.dataKeys === true,
      });
      const answer = await untilDone(client, cli, rotation.id);
      cli.show(options, answer, () => `${keyTable(answer)}\n\n${verdict(answer)}`);
    });
}

async function untilDone(
  client: Pick<OperatorClient, 'get'>,
  cli: Pick<Cli, 'note' | 'pause'>,
  rotationId: string,
): Promise<KeysAnswer> {
  let told = '';
  for (let looks = 0; ; looks += 1) {
    const answer = await client.get<KeysAnswer>('/keys');
    const { rotation, items } = answer;
    if (rotation?.id !== rotationId || rotation.state === 'done') return answer;
    const left = items.reduce((sum, { use, wraps }) => sum + (use === 'current' ? 0 : wraps), 0);
    const line = `running: ${rotation.rewrapped} keys rewrapped, ${left} left`;
    if (line !== told) {
      cli.note(line);
      looks = 0;
    }
    told = line;
    if (looks === looksUntilTold) cli.note(waitsFor(rotation.key_id));
    await cli.pause(lookMs);
  }
}

function waitsFor(keyId: string): string {
  return `No worker goes on: one that has ${keyId} as ENCRYPTION_KEY is needed, and its log says what is in
the way. This command may be ended, and run again then.`;
}

function keyTable({ items }: KeysAnswer): string {
  return table(
    items,
    [
      { head: 'KEY', text: (item) => item.key_id },
      { head: 'USE', text: (item) => item.use },
      { head: 'WRAPS', text: (item) => item.wraps.toString(), align: 'right' },
      { head: 'MAY BE REMOVED', text: (item) => (item.removable ? 'yes' : 'no') },
    ],
    'No key is known.',
  );
}

function verdict({ items, rotation }: KeysAnswer): string {
  const done = `${rotation?.rewrapped ?? 0} keys were wrapped anew, ${rotation?.made ?? 0} data keys were made.`;
  const removable = items.filter((item) => item.removable).map((item) => item.key_id);
  if (removable.length === 0) return done;
  return `${done}
Nothing is wrapped by ${removable.join(', ')} any more: take it from OTHER_ENCRYPTION_KEYS once
every process was started with the new ENCRYPTION_KEY. Backups from before ${rotation?.ended_at ?? 'now'} still need it.`;
}
