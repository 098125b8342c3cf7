import { connect } from 'node:net';
import type { Command } from 'commander';
import type { Static } from 'typebox';
import { printable } from '../../../domain/truncated-text.ts';
import type { checkupShape } from '../../../operator/service/checkup.ts';
import type { Cli, ShowOptions } from '../../cli.ts';
import { CliError, exitCodes } from '../../cli-error.ts';
import { examples } from '../../examples.ts';
import type { ListenerPort } from '../../listener-ports.ts';

type Checkup = Static<typeof checkupShape>;
type Item = Omit<Checkup['items'][number], 'check'> & { readonly check: string };

const marks = { good: 'ok', warning: 'warn', bad: 'BAD' } as const;
const connectWithinMs = 3_000;

/** recoup doctor */
export function addDoctor(program: Command, cli: Cli): void {
  program
    .command('doctor')
    .description(
      'check the whole deployment and say what to do; exits with 1 if something is broken',
    )
    .addHelpText(
      'after',
      `
What it looks at: the operator API and its token, the ports of the other APIs, the database with its
version, migrations and clock, the encryption key, the disk, the invariants, late work, lost answers,
failing webhooks, merchants' servers (name, certificate, connection; no request is sent), final checks
without a usable answer, and the credentials of processors. It changes nothing.
${examples('doctor', 'doctor --json')}`,
    )
    .action(async (options: ShowOptions) => {
      const client = await cli.open();
      const ports = await Promise.all((await cli.listenerPorts()).map(portItem));
      const answer = await client.get<Checkup>('/checkup');
      const reached = { check: 'operator_api', verdict: 'good', found: `${client.url} answers.` };
      const items: readonly Item[] = [reached as Item, ...ports, ...answer.items];
      const broken = items.filter((item) => item.verdict === 'bad').length;
      const report = { healthy: broken === 0, items };
      cli.show(options, report, () => `${items.map(lineOf).join('\n')}\n\n${summary(items)}`);
      if (broken > 0) throw new CliError(exitCodes.refused, `${broken} of the checks failed.`);
    });
}

function lineOf({ check, verdict, found, action, merchant_id: merchant }: Item): string {
  const whose = merchant === undefined ? '' : `${merchant}: `;
  const line = `${marks[verdict as keyof typeof marks].padEnd(4)}  ${check.padEnd(15)}  ${whose}${printable(found)}`;
  return action === undefined ? line : `${line}\n${' '.repeat(23)}-> ${printable(action)}`;
}

function summary(items: readonly Item[]): string {
  const count = (verdict: string) => items.filter((item) => item.verdict === verdict).length;
  return `${items.length} checks: ${count('good')} in order, ${count('warning')} to look at, ${count('bad')} broken.`;
}

/** Whether somebody listens; a missing listener may well run on another machine. */
async function portItem({ name, host, port }: ListenerPort): Promise<Item> {
  const at = `${name} at ${host}:${port}`;
  if (await canConnect(host, port)) {
    return { check: 'port', verdict: 'good', found: `The ${at} takes connections.` };
  }
  const action = 'Start a process with the role api, or run doctor where it listens.';
  return { check: 'port', verdict: 'warning', found: `The ${at} takes none.`, action };
}

function canConnect(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: connectWithinMs });
    const end = (isOpen: boolean) => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', () => end(true));
    socket.once('timeout', () => end(false));
    socket.once('error', () => end(false));
  });
}
