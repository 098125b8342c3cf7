import type { Command } from 'commander';
import type { Static } from 'typebox';
import { present } from '../../../domain/present.ts';
import type { portalLinkShape } from '../../../http/views/portal-link-shape.ts';
import type { Cli, ShowOptions } from '../../cli.ts';
import { pathOf } from '../../operator-client.ts';
import { details, time } from '../../table.ts';
import { wholeNumber } from '../../whole-number.ts';

type PortalLink = Static<typeof portalLinkShape>;
type LinkOptions = ShowOptions & { readonly validFor?: string; readonly embedOrigin?: string };

/** recoup merchants portal-link, and its opposite */
export function addPortalLinks(merchants: Command, cli: Cli): void {
  merchants
    .command('portal-link')
    .description(
      "create a read-only link to the portal for a merchant's own people, and show it once",
    )
    .argument('<merchant>')
    .option('--valid-for <seconds>', 'seconds that it opens the portal (default: a day)')
    .option(
      '--embed-origin <origin>',
      'the site that may show it in a frame, such as https://app.example.com',
    )
    .action(async (merchant: string, options: LinkOptions) => {
      const client = await cli.open();
      const body = present({
        expires_in_seconds: secondsOf(options.validFor),
        embed_origin: options.embedOrigin,
      });
      const link = await client.post<PortalLink>(linksOf(merchant), body);
      cli.show(options, link, () => linkDetails(link));
    });

  merchants
    .command('revoke-portal-links')
    .description("revoke all links to a merchant's portal and end the sessions they opened")
    .argument('<merchant>')
    .action(async (merchant: string, options: ShowOptions) => {
      const client = await cli.open();
      const answer = await client.delete<{ readonly revoked: number }>(linksOf(merchant));
      cli.show(options, answer, () => `Revoked: ${answer.revoked}.`);
    });
}

const minSeconds = 60;
const maxSeconds = 604_800;

function secondsOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : wholeNumber('--valid-for', text, minSeconds, maxSeconds);
}

function linksOf(merchant: string): string {
  return `/merchants${pathOf(merchant)}/portal-links`;
}

function linkDetails(link: PortalLink): string {
  return details([
    ['link', link.id],
    ['ends', time(link.expires_at)],
    ...(link.embed_origin === undefined ? [] : [['framed by', link.embed_origin] as const]),
    ['url', link.url],
  ]);
}
