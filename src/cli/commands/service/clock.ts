import type { Command } from 'commander';
import type { Cli, ShowOptions } from '../../cli.ts';
import { examples } from '../../examples.ts';
import { time } from '../../table.ts';

interface ClockAnswer {
  readonly now: string;
  readonly offset_ms: number;
}

/** recoup clock: the sandbox's time. */
export function addClock(program: Command, cli: Cli): void {
  const clock = program
    .command('clock')
    .description("show the sandbox's time, or move it forward")
    .addHelpText(
      'after',
      examples(
        'clock show',
        'clock advance P1D               one day: everything due on the way is done in order',
        'clock advance PT12H             twelve hours',
        'clock to 2026-04-01T00:00:00Z',
      ),
    );

  clock
    .command('show')
    .description("show the sandbox's time")
    .action(async (options: ShowOptions) => {
      const client = await cli.open();
      const answer = await client.get<ClockAnswer>('/sandbox/clock');
      cli.show(options, answer, () => `It is ${time(answer.now)}.`);
    });

  clock
    .command('advance')
    .description('move the time forward by an ISO 8601 duration, such as P1D, PT12H or P1W')
    .argument('<duration>')
    .action((advance: string, options: ShowOptions) => move(cli, { advance }, options));

  clock
    .command('to')
    .description('move the time forward to a time, such as 2026-04-01T00:00:00Z')
    .argument('<time>')
    .action((to: string, options: ShowOptions) => move(cli, { to }, options));
}

async function move(cli: Cli, body: object, options: ShowOptions): Promise<void> {
  const client = await cli.open();
  const answer = await client.post<ClockAnswer & { jumps: number }>('/sandbox/clock', body, {
    patient: true,
  });
  cli.show(
    options,
    answer,
    () => `It is ${time(answer.now)}, after ${answer.jumps} jump${answer.jumps === 1 ? '' : 's'}.`,
  );
}
