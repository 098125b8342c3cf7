import type { AlertTargetJson } from '../../api/generated/alerts.ts';

export type TargetKind = AlertTargetJson['kind'];

export const targetKinds = [
  { value: 'email', label: 'by e-mail' },
  { value: 'slack', label: 'to Slack, or a compatible webhook' },
  { value: 'webhook', label: 'as a signed webhook' },
] as const;

/** What a channel of a kind has to know, as fields of a form. */
export function TargetFields({ kind }: { readonly kind: TargetKind }) {
  return (
    <>
      {kind === 'email' ? (
        <label>
          Addresses, separated by commas
          <input name="to" required maxLength={2_000} autoComplete="off" />
        </label>
      ) : (
        <label>
          Address
          <input name="url" type="url" required maxLength={2_048} autoComplete="off" />
        </label>
      )}
      {kind === 'webhook' && (
        <label>
          Signing secret, 24 characters or more
          <input
            name="secret"
            type="password"
            required
            minLength={24}
            maxLength={200}
            autoComplete="off"
          />
        </label>
      )}
    </>
  );
}

/** What a form with these fields says. */
export function targetOf(kind: TargetKind, fields: FormData): AlertTargetJson {
  const text = (name: string): string => String(fields.get(name) ?? '').trim();
  switch (kind) {
    case 'email':
      return {
        kind,
        to: text('to')
          .split(/[\s,;]+/)
          .filter((address) => address !== ''),
      };
    case 'slack':
      return { kind, url: text('url') };
    case 'webhook':
      return { kind, url: text('url'), secret: text('secret') };
  }
}
