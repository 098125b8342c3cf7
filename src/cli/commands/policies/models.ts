import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Static } from 'typebox';
import type { modelsShape } from '../../../operator/models/model-shape.ts';
import type { Cli, ShowOptions } from '../../cli.ts';
import { CliError, exitCodes } from '../../cli-error.ts';
import { examples } from '../../examples.ts';
import { type OperatorClient, pathOf } from '../../operator-client.ts';
import { details, table } from '../../table.ts';

type Models = Static<typeof modelsShape>;
type Training = Models['trainings'][number];

/** Between two looks at a training that runs. */
const lookMs = 500;

/** recoup train */
export function addTrain(program: Command, cli: Cli): void {
  program
    .command('train')
    .description(
      'train the learned policy from the tries in the database, and wait until it is done',
    )
    .option('--merchant <merchant>', 'train a model for this merchant alone')
    .addHelpText('after', examples('train', 'train --merchant mer_3v5k…'))
    .action(async (options: ShowOptions & { readonly merchant?: string }) => {
      const client = await cli.open();
      const { merchant } = options;
      await client.post('/models/train', merchant === undefined ? {} : { merchant_id: merchant });
      const training = await untilTrained(client, merchant, (text) => {
        if (options.json === undefined) process.stderr.write(text);
      });
      cli.show(options, training, () => trainingText(training));
      if (training.state === 'failed') throw new CliError(exitCodes.refused, training.message);
    });
}

async function untilTrained(
  client: OperatorClient,
  merchant: string | undefined,
  tell: (text: string) => void,
): Promise<Training> {
  for (let told = ''; ; ) {
    const { trainings } = await client.get<Models>('/models');
    const training = trainings.find((item) => item.merchant_id === merchant);
    if (training?.state === 'done' || training?.state === 'failed') return training;
    const words = training === undefined ? '' : `${training.state}: ${training.tries} tries\n`;
    if (words !== told) tell(words);
    told = words;
    await pause(lookMs);
  }
}

function trainingText(training: Training): string {
  return details([
    ['state', training.state],
    ['tries', String(training.tries)],
    ['model', training.model_id],
    ['result', training.message],
  ]);
}

/** recoup models list | activate */
export function addModels(program: Command, cli: Cli): void {
  const models = program
    .command('models')
    .description('list and activate models of the learned policy');
  models
    .command('list')
    .description('list models and how well they predict')
    .addHelpText('after', examples('models list'))
    .action(async (options: ShowOptions) => {
      const client = await cli.open();
      const answer = await client.get<Models>('/models');
      cli.show(options, answer, () => modelTable(answer));
    });
  models
    .command('activate')
    .description('activate a model and retire the active one')
    .argument('<model>')
    .addHelpText('after', examples('models activate mod_3v5k…', 'models activate prior-3'))
    .action(async (model: string, options: ShowOptions) => {
      const client = await cli.open();
      const answer = await client.post<Models>(`/models${pathOf(model)}/activate`);
      cli.show(options, answer, () => modelTable(answer));
    });
}

function modelTable({ models }: Models): string {
  const rows = table(
    models,
    [
      { head: 'MODEL', text: (item) => item.id },
      { head: 'FOR', text: (item) => item.merchant_id ?? 'all merchants' },
      { head: 'STATUS', text: (item) => item.status },
      { head: 'TRIES', text: (item) => text(item.metrics.tries), align: 'right' },
      { head: 'LOSS', text: (item) => heldOut(item.metrics, 'log_loss'), align: 'right' },
      { head: 'AUC', text: (item) => heldOut(item.metrics, 'auc'), align: 'right' },
      { head: 'CREATED', text: (item) => item.created_at },
    ],
    'There are no models yet: payments go by their simple schedules until the first training.',
  );
  const alerts = models.flatMap(({ id, alert }) =>
    alert === undefined ? [] : [`${id}: ${alert}`],
  );
  return [rows, ...alerts].join('\n\n');
}

function heldOut(metrics: Readonly<Record<string, unknown>>, name: string): string {
  const quality = metrics.held_out as Readonly<Record<string, unknown>> | undefined;
  return text(quality?.[name]);
}

function text(value: unknown): string {
  return typeof value === 'number' ? String(value) : '';
}
