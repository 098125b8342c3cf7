import { Argument, type Command } from 'commander';
import type { Static } from 'typebox';
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
    .description("lists, issues, rotates and revokes a merchant's keys, passwords and secrets")
    .addHelpText(
      'after',
      examples(
        'credentials list mer_3v5k…',
        'credentials issue mer_3v5k… recovery_api_key',
        'credentials rotate mer_3v5k… signing_secret --overlap P2D   the old one signs on for two days',
        'credentials revoke mer_3v5k… cred_5h2j…                     ends at once',
      ),
    );
  const kind = () => new Argument('<kind>').choices(credentialKinds);

  credentials
    .command('list')
    .description("lists a merchant's credentials; their texts are never shown")
    .argument('<merchant>')
    .action(async (merchant: string, options: ShowOptions) => {
      const client = await cli.open();
      const answer = await client.get<{ items: Credential[] }>(of(merchant));
      cli.show(options, answer, () => credentialTable(answer.items));
    });

  credentials
    .command('issue')
    .description('issues one beside the present ones and shows it, once')
    .argument('<merchant>')
    .addArgument(kind())
    .action(async (merchant: string, chosen: string, options: ShowOptions) => {
      const client = await cli.open();
      const issued = await client.post<Issued>(of(merchant), { kind: chosen });
      cli.show(options, issued, () => issuedDetails(issued));
    });

  credentials
    .command('rotate')
    .description('issues one and lets the present ones of its kind end')
    .argument('<merchant>')
    .addArgument(kind())
    .option('--overlap <duration>', 'how long the present ones stay valid (default: P1D)')
    .action(
      async (merchant: string, chosen: string, options: ShowOptions & { overlap?: string }) => {
        const client = await cli.open();
        const body = { kind: chosen, overlap: options.overlap };
        const issued = await client.post<Issued>(`${of(merchant)}/rotate`, body);
        cli.show(options, issued, () => issuedDetails(issued));
      },
    );

  credentials
    .command('revoke')
    .description('ends one at once')
    .argument('<merchant>')
    .argument('<credential>')
    .action(async (merchant: string, credential: string, options: ShowOptions) => {
      const client = await cli.open();
      await client.delete(of(merchant) + pathOf(credential));
      cli.show(options, { revoked: credential }, () => `${credential} is revoked.`);
    });
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
      { head: 'HINT', text: (credential) => credential.hint },
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
  ])}\n\nShown this once; keep it:\n${issued.text}`;
}
