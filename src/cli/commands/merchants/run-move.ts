import { randomBytes } from 'node:crypto';
import { parseEnv } from 'node:util';
import { openKeys } from '../../../app/keys/open-keys.ts';
import { type Environment, parseSettings } from '../../../config.ts';
import { AppError } from '../../../domain/errors.ts';
import type { DatabaseAddress } from '../../../store/cell.ts';
import { type CellConnection, connectToCell } from '../../../store/moving/cell-connection.ts';
import { clearMoved, takeBackMove } from '../../../store/moving/end-move.ts';
import type { MoveEnds } from '../../../store/moving/move-ends.ts';
import { type MoveStep, moveMerchant } from '../../../store/moving/move-merchant.ts';
import type { Tally } from '../../../store/moving/verify-rows.ts';
import type { WrappingKey } from '../../../store/sealing/wrapping-key.ts';
import type { Cli, ShowOptions } from '../../cli.ts';
import { CliError, exitCodes } from '../../cli-error.ts';
import { table } from '../../table.ts';
import { wholeNumber } from '../../whole-number.ts';

/** What the command is given beside the merchant. */
export interface MoveOptions extends ShowOptions {
  readonly to: string;
  readonly recoveryUrl?: string;
  readonly disputesUrl?: string;
  readonly drainTimeout: string;
  readonly back?: true;
  readonly clear?: true;
}

/** `recoup merchants move` as it was asked for. */
export async function runMove(cli: Cli, merchantId: string, options: MoveOptions): Promise<void> {
  const from = settingsOf(cli.environment(), 'the environment');
  const to = settingsOf(parseEnv(await cli.readFile(options.to)), options.to);
  await asked(async () => {
    const source = await connectToCell(from.address);
    try {
      const target = await connectToCell(to.address);
      try {
        await act(cli, { merchantId, options, from, to, source, target });
      } finally {
        await target.close();
      }
    } finally {
      await source.close();
    }
  });
}

interface Acting {
  readonly merchantId: string;
  readonly options: MoveOptions;
  readonly from: CellSettings;
  readonly to: CellSettings;
  readonly source: CellConnection;
  readonly target: CellConnection;
}

async function act(cli: Cli, of: Acting): Promise<void> {
  const { merchantId, options, source, target } = of;
  const ends = { source, target };
  if (options.back === true) {
    await takeBackMove(ends, { merchantId });
    cli.show(options, { state: 'taken_back' }, () => 'The move is taken back: all is as it was.');
  } else if (options.clear === true) {
    const removed = await clearMoved(ends, { merchantId });
    cli.show(options, { state: 'cleared', removed }, () => `Removed ${removed} rows.`);
  } else {
    const tallies = await move(cli, of);
    cli.show(options, { state: 'moved', tables: tallies.map(tallyJson) }, () => movedText(tallies));
  }
}

async function move(cli: Cli, of: Acting): Promise<readonly Tally[]> {
  const { recoveryUrl, disputesUrl, drainTimeout } = of.options;
  if (!isAddress(recoveryUrl) || !isAddress(disputesUrl)) {
    const why = 'A move needs --recovery-url and --disputes-url, as http:// or https:// addresses.';
    throw new CliError(exitCodes.usage, why);
  }
  const random = { bytes: (count: number) => randomBytes(count) };
  const ends: MoveEnds = { source: of.source, target: of.target, ...(await keysOf(of)) };
  return moveMerchant(
    {
      ...ends,
      random,
      reached: (step, detail) =>
        cli.note(detail === undefined ? said[step] : `${said[step]} ${detail}.`),
    },
    {
      merchantId: of.merchantId,
      recoveryUrl,
      disputesUrl,
      drainTimeoutMs: wholeNumber('--drain-timeout', drainTimeout, 1, 86_400) * 1_000,
    },
  );
}

const said: Readonly<Record<MoveStep, string>> = {
  begun: 'Begun: this cell begins nothing more for the merchant, and takes its calls.',
  copied_ahead: 'Copied what there was.',
  drained: 'Drained: nothing is under way.',
  closed: 'Closed: calls of the merchant are answered with 503 from here.',
  fenced: 'Fenced: nothing of the merchant can be written here.',
  copied: 'Copied what had changed:',
  switched: 'Switched: the merchant is in the other cell.',
  moved: 'Moved: this cell passes its calls on.',
};

function isAddress(text: string | undefined): text is string {
  const url = URL.parse(text ?? '');
  return url !== null && ['http:', 'https:'].includes(url.protocol);
}

function tallyJson({ table: name, rows, digest }: Tally) {
  return { table: name, rows, digest };
}

function movedText(tallies: readonly Tally[]): string {
  const filled = tallies.filter(({ rows }) => rows > 0);
  const counts = table(
    filled,
    [
      { head: 'TABLE', text: (tally) => tally.table },
      { head: 'ROWS', text: (tally) => tally.rows.toString() },
    ],
    'It had been switched before.',
  );
  return `${counts}\nThe rows here are kept until they are removed by --clear.`;
}

interface CellSettings {
  readonly address: DatabaseAddress;
  readonly encryptionKey: WrappingKey;
  readonly others: readonly WrappingKey[];
}

function settingsOf(env: Environment, where: string): CellSettings {
  const { databaseUrl, databaseSchema, encryptionKey, otherEncryptionKeys } = parseSettings(env, [
    'databaseUrl',
    'databaseSchema',
    'encryptionKey',
    'otherEncryptionKeys',
  ]);
  if (databaseUrl === undefined || encryptionKey === undefined) {
    const why = `DATABASE_URL and ENCRYPTION_KEY are needed of both cells, and not both set in ${where}.`;
    throw new CliError(exitCodes.usage, why);
  }
  return {
    address: { connectionString: databaseUrl, schema: databaseSchema },
    encryptionKey,
    others: otherEncryptionKeys,
  };
}

/** Both cells' keys: what the one has wrapped is opened, and wrapped by the other's present one. */
async function keysOf({ from, to }: Acting): Promise<Pick<MoveEnds, 'keys' | 'theirs'>> {
  const random = { bytes: (count: number) => randomBytes(count) };
  const [ours, theirs] = await Promise.all(
    [from, to].map(({ encryptionKey: current, others }) =>
      openKeys({ random }, { current, others }),
    ),
  );
  if (ours === undefined || theirs === undefined) throw new AppError('encryption_key_wrong');
  const { keyId, wrap } = theirs.keys;
  return { keys: { keyId, wrap, unwrap: ours.keys.unwrap }, theirs: theirs.keys };
}

/** What a move refuses is no wrong use of the command. */
async function asked(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new CliError(exitCodes.refused, error.message);
  }
}
