import { type Static, Type } from 'typebox';
import { dayMs, secondMs } from '../../domain/clock.ts';
import { present } from '../../domain/present.ts';
import type { IssuedPortalLink } from '../../recovery/people/portal-api.ts';
import { shapedField, timeField } from '../fields.ts';

const daySeconds = dayMs / secondMs;
/** A working day and the morning after. */
export const defaultPortalSeconds = daySeconds;

/** What a link to a merchant's portal is asked for with. */
export const newPortalLinkBody = Type.Object(
  {
    expires_in_seconds: Type.Optional(
      Type.Integer({
        minimum: 60,
        maximum: 7 * daySeconds,
        default: defaultPortalSeconds,
        description: 'How long it opens the portal, and how long a session lasts that it opened.',
      }),
    ),
    // Nothing else than a host and a port: it becomes part of a header.
    embed_origin: Type.Optional(
      shapedField(
        'The one site that may show the portal in a frame. Default: none.',
        '^https://[a-z0-9]([a-z0-9.-]{0,250}[a-z0-9])?(:[1-9][0-9]{0,4})?$',
        'an origin, such as https://app.example.com',
      ),
    ),
  },
  {
    description: 'May be left out.',
    additionalProperties: false,
    examples: [{ expires_in_seconds: 3600 }, { embed_origin: 'https://app.example.com' }],
  },
);

export const portalLinkExample = {
  id: 'plk_6m1c8n4t6r0b2k5h2j7q0x9w',
  url: 'https://recoup.example.com/portal#portal_live_3fzk8w1n5t9r2c6m4q7x0v3b8h1j5d9g2s6p0kq7m2x4z',
  expires_at: '2026-03-03T12:00:00.000Z',
} as const;

export const portalLinkShape = Type.Object(
  {
    id: Type.String({ description: 'Its name in the audit log.' }),
    url: Type.String({
      description:
        'The address to open. What stands after its # opens the portal: give it to nobody else, and keep it out of logs.',
    }),
    expires_at: timeField('When it and the sessions that it opened end.'),
    embed_origin: Type.Optional(Type.String()),
  },
  {
    title: 'PortalLink',
    description: 'The link. It cannot be read again.',
    examples: [portalLinkExample],
  },
);

/**
 * A link as it is answered. Behind the `#` its text is in no access log and in no Referer; the page of one that
 * may be framed is named by its id, so that the server knows by whom before anything is signed in.
 */
export function portalLinkJson(
  { linkId, text, expiresAt, embedOrigin }: IssuedPortalLink,
  operatorUrl: string,
): Static<typeof portalLinkShape> {
  const page = embedOrigin === undefined ? '/portal' : `/portal/${linkId}`;
  return present({
    id: linkId,
    url: `${operatorUrl}${page}#${text}`,
    expires_at: expiresAt.toISOString(),
    embed_origin: embedOrigin,
  });
}
