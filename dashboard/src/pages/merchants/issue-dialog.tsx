import { useState } from 'react';
import { useIssueCredential } from '../../api/merchant-settings.ts';
import { Choice } from '../../parts/choice.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { kindLabels, scopeLabels } from './credential-kinds.ts';

/** How long the present credentials go on beside a new one. */
const overlaps: readonly (readonly [overlap: string, words: string])[] = [
  ['P1D', 'end after 1 day'],
  ['PT1H', 'end after 1 hour'],
  ['P7D', 'end after 7 days'],
  ['PT0S', 'end at once'],
  ['', 'stay valid'],
];

/** When a key ends by itself. */
const ends: readonly (readonly [duration: string, words: string])[] = [
  ['', 'never'],
  ['P30D', 'after 30 days'],
  ['P90D', 'after 90 days'],
  ['P365D', 'after 365 days'],
];

/** Asks which credential, and what becomes of the present ones. */
export function IssueDialog({
  merchantId,
  open,
  onClose,
  onIssued,
}: {
  readonly merchantId: string;
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onIssued: (name: string, text: string) => void;
}) {
  const issue = useIssueCredential(merchantId);
  const [kind, setKind] = useState('recovery_api_key');
  const toast = useToast();
  const close = (): void => {
    issue.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      open={open}
      title="Issue a credential?"
      effect="A new one is issued and shown once. Webhooks are signed with the oldest valid secret, so that receivers can adopt the new one first."
      action="Issue"
      isBusy={issue.isPending}
      error={issue.error}
      onClose={close}
      onConfirm={(fields) => {
        const overlap = String(fields.get('overlap'));
        const wanted = kind === 'signing_secret' ? { kind } : { kind, ...wantedOf(fields) };
        issue.mutate(overlap === '' ? wanted : { ...wanted, overlap }, {
          onSuccess: ({ text }) => {
            onIssued(kindLabels[kind] ?? kind, text);
            toast('The credential is issued. Keep it now.');
            close();
          },
        });
      }}
    >
      <Choice
        label="Kind"
        form="above"
        value={kind}
        options={Object.entries(kindLabels).map(([value, label]) => ({ value, label }))}
        onChange={setKind}
      />
      <Choice
        label="Those of this kind that are valid now"
        form="above"
        name="overlap"
        options={overlaps.map(([value, label]) => ({ value, label }))}
      />
      {kind !== 'signing_secret' && <KeyFields />}
    </ConfirmDialog>
  );
}

/** What only keys and passwords have. */
function KeyFields() {
  return (
    <>
      <fieldset className="fields">
        <legend>Scopes</legend>
        {Object.entries(scopeLabels).map(([scope, words]) => (
          <label key={scope} className="field">
            <input type="checkbox" name="scopes" value={scope} defaultChecked />
            <span>
              <code>{scope}</code> <span className="muted">{words}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <label>
        Name, such as the system that holds it (optional)
        <input name="name" maxLength={100} />
      </label>
      <Choice
        label="Expires"
        form="above"
        name="valid_for"
        options={ends.map(([value, label]) => ({ value, label }))}
      />
    </>
  );
}

function wantedOf(fields: FormData) {
  const [name, validFor] = [String(fields.get('name')).trim(), String(fields.get('valid_for'))];
  return {
    scopes: fields.getAll('scopes').map(String),
    ...(name !== '' && { name }),
    ...(validFor !== '' && { valid_for: validFor }),
  };
}
