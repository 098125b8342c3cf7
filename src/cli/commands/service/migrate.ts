import type { Command } from 'commander';
import { AppError } from '../../../domain/errors.ts';
import type { DatabaseAddress } from '../../../store/cell.ts';
import type { SchemaState } from '../../../store/migrating/check-schema.ts';
import type { Cli, ShowOptions } from '../../cli.ts';
import { CliError, exitCodes } from '../../cli-error.ts';
import { examples } from '../../examples.ts';

interface MigrateOptions extends ShowOptions {
  readonly check?: true;
}

/** recoup migrate: the one command that speaks to the database itself. */
export function addMigrate(program: Command, cli: Cli): void {
  program
    .command('migrate')
    .description(
      'migrate the schema of DATABASE_URL to this version, before the service is started',
    )
    .option('--check', 'change nothing; exit with 1 if a migration has not run yet')
    .addHelpText(
      'after',
      `${examples('migrate --check', 'migrate')}
The previous release keeps working meanwhile. With MIGRATE_ON_START=false the service refuses to start on
an older schema. The embedded database is migrated only when the service starts.`,
    )
    .action(async (options: MigrateOptions) => {
      const address = cli.database();
      if (address === undefined) {
        const why =
          'DATABASE_URL is not set, and the embedded database is migrated when the service starts.';
        throw new CliError(exitCodes.usage, why);
      }
      if (options.check === true) return check(cli, address, options);
      // No other command waits for the database's client to load.
      const { migrate } = await import('../../../store/migrate.ts');
      const { applied } = await asked(migrate({ ...address, clock: { now: cli.now } }));
      cli.show(options, { applied }, () =>
        applied.length === 0 ? upToDate : `Applied:\n${listed(applied)}`,
      );
    });
}

const upToDate = 'The schema is of this version.';

async function check(cli: Cli, address: DatabaseAddress, options: ShowOptions): Promise<void> {
  const { readSchemaState } = await import('../../../store/migrating/check-schema.ts');
  const { pending, newer } = await asked(readSchemaState(address));
  cli.show(options, { pending, newer }, () => stateText({ pending, newer }));
  if (pending.length > 0) {
    throw new CliError(exitCodes.refused, `${pending.length} migrations have not run yet.`);
  }
}

function stateText({ pending, newer }: Pick<SchemaState, 'pending' | 'newer'>): string {
  if (pending.length > 0) return `Not run yet:\n${listed(pending)}`;
  return newer.length > 0 ? `${upToDate} A newer one has added:\n${listed(newer)}` : upToDate;
}

function listed(names: readonly string[]): string {
  return names.map((name) => `  ${name}`).join('\n');
}

/** What the database refuses is no wrong use of the command. */
async function asked<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new CliError(exitCodes.refused, error.message);
  }
}
