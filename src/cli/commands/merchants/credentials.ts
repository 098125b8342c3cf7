import { Argument, type Command, Option } from 'commander';
import type { Static } from 'typebox';
import { credentialScopes } from '../../../domain/access/scopes.ts';
import type {
  credentialShape,
  issuedShape,
} from '../../../operator/credentials/credential-shape.ts';
import { credentialKinds } from '../../../recovery/operator-api.ts';
import type { Cli, ShowOptions } from '../../cli.ts';
import { examples } from '../../examples.ts';
import { pathOf } from '../../operator-client.ts';
import { details, table, time } from '../../table.ts';

type Credential = Static<typeof credentialShape>;
type Issued = Static<typeof issuedShape>;

/** recoup credentials */
export function addCredentials(program: Command, cli: Cli): void {
  const credentials = program
    .command('credentials')
    .description("list, issue, rotate and revoke a merchant's keys, passwords and secrets")
    .addHelpText(
      'after',
      examples(
        'credentials list mer_3v5k…',
        'credentials issue mer_3v5k… recovery_api_key',
        'credentials issue mer_3v5k… recovery_api_key --scopes intake --name Billing --valid-for P365D',
        'credentials rotate mer_3v5k… signing_secret --overlap P2D   the old one signs on for two days',
        'credentials revoke mer_3v5k… cred_5h2j…                     ends at once',
      ),
    );
  const kind = () => new Argument('<kind>').choices(credentialKinds);

  credentials
    .command('list')
    .description("list a merchant's credentials, without their secrets")
    .argument('<merchant>')
    .action(async (merchant: string, options: ShowOptions) => {
      const client = await cli.open();
      const answer = await client.get<{ items: Credential[] }>(of(merchant));
      cli.show(options, answer, () => credentialTable(answer.items));
    });

  credentials
    .command('issue')
    .description('issue one more credential and show it once')
    .argument('<merchant>')
    .addArgument(kind())
    .addOption(scopesOption())
    .option('--name <text>', 'the system that will use it')
    .option('--valid-for <duration>', 'how long it is valid, such as P365D (default: forever)')
    .action(async (merchant: string, chosen: string, options: ShowOptions & Wanted) => {
      const client = await cli.open();
      const issued = await client.post<Issued>(of(merchant), {
        kind: chosen,
        ...wantedOf(options),
      });
      cli.show(options, issued, () => issuedDetails(issued));
    });

  addRotate(credentials, cli, kind());

  credentials
    .command('revoke')
    .description('revoke a credential at once')
    .argument('<merchant>')
    .argument('<credential>')
    .action(async (merchant: string, credential: string, options: ShowOptions) => {
      const client = await cli.open();
      await client.delete(of(merchant) + pathOf(credential));
      cli.show(options, { revoked: credential }, () => `${credential} is revoked.`);
    });
}

function addRotate(credentials: Command, cli: Cli, kind: Argument): void {
  credentials
    .command('rotate')
    .description('replace the credentials of a kind; the old ones stay valid for the overlap')
    .argument('<merchant>')
    .addArgument(kind)
    .option('--overlap <duration>', 'how long the current ones stay valid (default: P1D)')
    .option('--only <credential>', 'replace only this one')
    .addOption(scopesOption())
    .option('--name <text>', 'the system that will use it')
    .option('--valid-for <duration>', 'how long it is valid, such as P365D (default: forever)')
    .action(
      async (
        merchant: string,
        chosen: string,
        options: ShowOptions & Wanted & { readonly overlap?: string; readonly only?: string },
      ) => {
        const client = await cli.open();
        const { overlap, only: credential_id } = options;
        const body = { kind: chosen, overlap, credential_id, ...wantedOf(options) };
        const issued = await client.post<Issued>(`${of(merchant)}/rotate`, body);
        cli.show(options, issued, () => issuedDetails(issued));
      },
    );
}

interface Wanted {
  readonly scopes?: readonly string[];
  readonly name?: string;
  readonly validFor?: string;
}

function wantedOf({ scopes, name, validFor: valid_for }: Wanted) {
  return { scopes, name, valid_for };
}

function scopesOption(): Option {
  const words = `what it may do: ${credentialScopes.join(', ')}, separated by commas (default: all)`;
  return new Option('--scopes <scopes>', words).argParser((text) => text.split(','));
}

function of(merchant: string): string {
  return `/merchants${pathOf(merchant)}/credentials`;
}

function credentialTable(credentials: readonly Credential[]): string {
  return table(
    credentials,
    [
      { head: 'CREDENTIAL', text: (credential) => credential.id },
      { head: 'KIND', text: (credential) => credential.kind },
      { head: 'NAME', text: (credential) => credential.name },
      { head: 'HINT', text: (credential) => credential.hint },
      { head: 'SCOPES', text: (credential) => credential.scopes?.join(', ') },
      { head: 'CREATED', text: (credential) => time(credential.created_at) },
      { head: 'LAST USED', text: (credential) => time(credential.last_used_at) },
      { head: 'ENDS', text: ending },
    ],
    'The merchant has no credentials.',
  );
}

function ending(credential: Credential): string | undefined {
  if (credential.revoked_at !== undefined) return `revoked ${time(credential.revoked_at)}`;
  return time(credential.expires_at);
}

function issuedDetails(issued: Issued): string {
  return `${details([
    ['credential', issued.id],
    ['kind', issued.kind],
    ...(issued.scopes === undefined ? [] : [['scopes', issued.scopes.join(', ')] as const]),
    ...(issued.expires_at === undefined ? [] : [['ends', time(issued.expires_at)] as const]),
  ])}\n\nShown this once; keep it:\n${issued.text}`;
}
