import type { PspAccountJson } from '../../api/generated/psp-connections.ts';
import { pspTitle } from '../../parts/psp-name.ts';
import { StatePill } from '../../parts/state-pill.tsx';
import { openText } from './open-charges.ts';

/** One account: which it is, whether real money moves there, and what is open. */
export function AccountLine({ account }: { readonly account: PspAccountJson }) {
  const { account: id, mode, state, open, credentials_destroyed_at: destroyedAt } = account;
  if (state === 'retired' && open === undefined) return null;
  return (
    <p className="small">
      <StatePill state={state} /> {accountText(id, mode)}
      {open !== undefined && `. Open: ${openText(open)}`}
      {open !== undefined && destroyedAt !== undefined && '. Its credentials are gone.'}
    </p>
  );
}

/** Its id and whether real money moves there; the sandbox's account is named as its mode. */
function accountText(id: string | undefined, mode: PspAccountJson['mode']): string {
  if (id === mode) return mode;
  return [id ?? 'account not named', ...(mode === 'unknown' ? [] : [mode])].join(', ');
}

/** Accounts at processors that are no longer connected, as long as something is open there. */
export function RemovedAccounts({ accounts }: { readonly accounts: readonly PspAccountJson[] }) {
  const present = new Set(accounts.filter(({ state }) => state === 'active').map(({ psp }) => psp));
  const removed = accounts.filter(({ psp, open }) => open !== undefined && !present.has(psp));
  return removed.map((account) => (
    <section
      key={`${account.psp} ${account.version}`}
      className="setting"
      aria-label={pspTitle(account.psp)}
    >
      <div>
        <h3>{pspTitle(account.psp)}</h3>
        <AccountLine account={account} />
      </div>
    </section>
  ));
}
