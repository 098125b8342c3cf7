import { useState } from 'react';
import type { MerchantJson } from '../../api/generated/merchants.ts';
import { useEditMerchant } from '../../api/merchant-settings.ts';
import { EditDialog } from '../../parts/edit-dialog.tsx';
import { usePortal } from '../../state/portal.ts';
import { zoneWords } from '../../state/range.ts';

/** What the merchant is called, and in whose days its people count. */
export function MerchantHead({ merchant }: { readonly merchant: MerchantJson }) {
  const [isOpen, setOpen] = useState(false);
  const isOperator = usePortal() === undefined;
  return (
    <div className="page-head">
      <h1>{merchant.name}</h1>
      <code className="muted breaks">{merchant.id}</code>
      <span className="muted">Time zone: {zoneWords(merchant.time_zone)}</span>
      {isOperator && (
        <button type="button" className="button" onClick={() => setOpen(true)}>
          Change name or zone
        </button>
      )}
      <ChangeDialog merchant={merchant} open={isOpen} onClose={() => setOpen(false)} />
    </div>
  );
}

function ChangeDialog({
  merchant,
  open,
  onClose,
}: {
  readonly merchant: MerchantJson;
  readonly open: boolean;
  readonly onClose: () => void;
}) {
  const edit = useEditMerchant(merchant.id);
  return (
    <EditDialog
      open={open}
      title="Change the name or the time zone?"
      effect="Date ranges on the dashboard can begin and end in the merchant’s time zone. It does not affect retries."
      action="Change them"
      kept={merchant}
      edit={edit}
      bodyOf={(fields) => ({
        name: String(fields.get('name')).trim(),
        time_zone: String(fields.get('time_zone')).trim(),
      })}
      done="The name and the time zone are changed."
      onClose={onClose}
    >
      <label>
        Name
        <input name="name" required maxLength={200} defaultValue={merchant.name} />
      </label>
      <label>
        Time zone
        <input name="time_zone" required list="time-zones" defaultValue={merchant.time_zone} />
      </label>
      <datalist id="time-zones">
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </EditDialog>
  );
}
