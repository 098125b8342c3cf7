import { type Command, Option } from 'commander';
import type { Static } from 'typebox';
import { present } from '../../../domain/present.ts';
import { eventTypes } from '../../../domain/states.ts';
import { primaryEndpointId } from '../../../domain/webhooks/webhook-endpoint.ts';
import type { testShape } from '../../../operator/merchants/test-endpoint.ts';
import type {
  endpointShape,
  signedEndpointShape,
} from '../../../operator/webhooks/endpoint-shape.ts';
import type { Cli, ShowOptions } from '../../cli.ts';
import { examples } from '../../examples.ts';
import { pathOf } from '../../operator-client.ts';
import { details, table, time } from '../../table.ts';
import { eachValue } from '../each-value.ts';
import { readBody } from '../merchants/merchant-options.ts';
import { readWhole } from '../page-options.ts';

type Endpoint = Static<typeof endpointShape>;
type SignedEndpoint = Static<typeof signedEndpointShape>;

interface EndpointOptions extends ShowOptions {
  readonly from?: string;
  readonly url?: string;
  readonly type?: readonly string[];
  readonly quickSends?: boolean;
  /** False: never. */
  readonly pauseAfterDays?: number | false;
}

/** recoup endpoints */
export function addEndpoints(program: Command, cli: Cli): void {
  const endpoints = program
    .command('endpoints')
    .description("list, change, test and pause a merchant's webhook endpoints")
    .addHelpText(
      'after',
      `${examples(
        'endpoints list mer_3v5k…',
        'endpoints add mer_3v5k… --url https://alerts.acme.example/recoup --type incident --type end_of_dunning',
        'endpoints add mer_3v5k… --from endpoint.json    with auth and headers, which are secrets',
        'endpoints pause mer_3v5k… primary',
        'endpoints resume mer_3v5k… ept_5d2f…',
      )}
primary is the merchant's own webhook address, which recoup merchants update changes.`,
    );

  addReads(endpoints, cli);
  addChanges(endpoints, cli);
  addPauses(endpoints, cli);
}

function addReads(endpoints: Command, cli: Cli): void {
  endpoints
    .command('list')
    .description("list endpoints, the merchant's own webhook address first")
    .argument('<merchant>')
    .action(async (merchant: string, options: ShowOptions) => {
      const client = await cli.open();
      const answer = await client.get<{ items: Endpoint[] }>(endpointsOf(merchant));
      cli.show(options, answer, () => endpointTable(answer.items));
    });

  endpoints
    .command('test')
    .description('send an endpoint a signed webhook of the type test')
    .argument('<merchant>')
    .argument('<endpoint>')
    .action(async (merchant: string, endpoint: string, options: ShowOptions) => {
      const client = await cli.open();
      const test =
        endpoint === primaryEndpointId
          ? client.post<Static<typeof testShape>>(`/merchants${pathOf(merchant)}/endpoints/test`, {
              endpoint: 'webhook',
            })
          : client.post<Static<typeof testShape>>(
              `${endpointsOf(merchant)}${pathOf(endpoint)}/test`,
            );
      const { result, message, advice, ...rest } = await test;
      cli.show(options, { result, message, advice, ...rest }, () =>
        [`${result}: ${message}`, advice].filter((line) => line !== undefined).join('\n'),
      );
    });
}

function addChanges(endpoints: Command, cli: Cli): void {
  addSettings(
    endpoints
      .command('add')
      .description('add an endpoint and show its signing secret once')
      .argument('<merchant>'),
  ).action(async (merchant: string, options: EndpointOptions) => {
    const client = await cli.open();
    const body = await bodyOf(cli, options);
    const added = await client.post<SignedEndpoint>(endpointsOf(merchant), body);
    cli.show(options, added, () => signedDetails(added));
  });

  addSettings(
    endpoints
      .command('update')
      .description('change the fields that are given; leave the rest')
      .argument('<merchant>')
      .argument('<endpoint>')
      .addOption(new Option('--no-quick-sends', 'retry failed sends every 12 hours only')),
  ).action(async (merchant: string, endpoint: string, options: EndpointOptions) => {
    const client = await cli.open();
    const path = `${endpointsOf(merchant)}${pathOf(endpoint)}`;
    const changed = await client.patch<Endpoint>(path, await bodyOf(cli, options));
    cli.show(options, changed, () => endpointDetails(changed));
  });

  endpoints
    .command('remove')
    .description('remove an endpoint; nothing is sent to it any more')
    .argument('<merchant>')
    .argument('<endpoint>')
    .action(async (merchant: string, endpoint: string, options: ShowOptions) => {
      const client = await cli.open();
      await client.delete(`${endpointsOf(merchant)}${pathOf(endpoint)}`);
      cli.show(options, { removed: endpoint }, () => `${endpoint} is removed.`);
    });

  endpoints
    .command('rotate-secret')
    .description('issue a new signing secret and show it once')
    .argument('<merchant>')
    .argument('<endpoint>')
    .option('--overlap <duration>', 'how long the current ones stay valid (default: P1D)')
    .action(
      async (
        merchant: string,
        endpoint: string,
        { overlap, ...options }: ShowOptions & { readonly overlap?: string },
      ) => {
        const client = await cli.open();
        const path = `${endpointsOf(merchant)}${pathOf(endpoint)}/rotate-secret`;
        const body = overlap === undefined ? {} : { overlap };
        const rotated = await client.post<SignedEndpoint>(path, body);
        cli.show(options, rotated, () => signedDetails(rotated));
      },
    );
}

function addPauses(endpoints: Command, cli: Cli): void {
  const act = async (
    { verb, merchant, endpoint }: { verb: string; merchant: string; endpoint: string },
    options: ShowOptions,
    words: string,
  ) => {
    const client = await cli.open();
    const answer = await client.post(`${endpointsOf(merchant)}${pathOf(endpoint)}/${verb}`);
    cli.show(options, answer, () => words);
  };
  endpoints
    .command('pause')
    .description('hold back what is sent to an endpoint until it is resumed')
    .argument('<merchant>')
    .argument('<endpoint>')
    .action((merchant: string, endpoint: string, options: ShowOptions) =>
      act({ verb: 'pause', merchant, endpoint }, options, `${endpoint} is paused.`),
    );
  endpoints
    .command('resume')
    .description('resume an endpoint and send what was held back')
    .argument('<merchant>')
    .argument('<endpoint>')
    .action((merchant: string, endpoint: string, options: ShowOptions) =>
      act(
        { verb: 'resume', merchant, endpoint },
        options,
        `${endpoint} is resumed, and what was kept is sent now. What was given up before is sent again by recoup deliveries replay-all.`,
      ),
    );
}

function addSettings(command: Command): Command {
  return command
    .option('--from <file>', 'a JSON file with the fields of the API, or - for standard input')
    .option('--url <url>', 'where its events are sent')
    .addOption(
      new Option('--type <type>', 'an event type to send to it; may be repeated')
        .choices(eventTypes)
        .argParser(eachValue),
    )
    .option('--quick-sends', 'also retry failed sends within the first hour')
    .option(
      '--pause-after-days <n>',
      'pause it after this many days of nothing but failures',
      readWhole,
    )
    .option('--no-pause-after-days', 'never pause it automatically');
}

/** The file's fields, and the options over them. */
async function bodyOf(cli: Cli, options: EndpointOptions): Promise<object> {
  const file = options.from === undefined ? {} : readBody(await cli.readFile(options.from));
  const { url, type, quickSends, pauseAfterDays } = options;
  const given = {
    url,
    event_types: type,
    quick_sends: quickSends,
    pause_after_days: pauseAfterDays === false ? 0 : pauseAfterDays,
  };
  return { ...file, ...present(given) };
}

function endpointsOf(merchant: string): string {
  return `/merchants${pathOf(merchant)}/webhook-endpoints`;
}

function endpointTable(endpoints: readonly Endpoint[]): string {
  return table(
    endpoints,
    [
      { head: 'ENDPOINT', text: (endpoint) => endpoint.id },
      { head: 'URL', text: (endpoint) => endpoint.url },
      { head: 'TYPES', text: typesText },
      { head: 'QUICK SENDS', text: (endpoint) => (endpoint.quick_sends ? 'on' : 'off') },
      { head: 'PAUSED', text: pauseText },
    ],
    'There are none.',
  );
}

function endpointDetails(endpoint: Endpoint): string {
  return details([
    ['endpoint', endpoint.id],
    ['url', endpoint.url],
    ['event types', typesText(endpoint)],
    ['authentication', endpoint.auth.type],
    ['headers', endpoint.header_names.join(', ')],
    ['quick sends', endpoint.quick_sends ? 'on' : 'off'],
    ['pause after', pauseAfterText(endpoint)],
    ['paused', pauseText(endpoint)],
    ['created', time(endpoint.created_at)],
  ]);
}

function signedDetails(endpoint: SignedEndpoint): string {
  const secret = details([['signing_secret', endpoint.signing_secret]]);
  return `${endpointDetails(endpoint)}\n\nShown this once; keep it:\n${secret}`;
}

function typesText({ event_types: types }: Endpoint): string {
  return types.length === eventTypes.length ? 'all' : types.join(', ');
}

function pauseAfterText({ pause_after_days: days }: Endpoint): string {
  if (days === undefined) return 'never';
  return `${days} ${days === 1 ? 'day' : 'days'} of nothing but failures`;
}

function pauseText({ paused_at: at, paused_by: by }: Endpoint): string {
  return at === undefined ? 'no' : `${time(at)} (${by})`;
}
