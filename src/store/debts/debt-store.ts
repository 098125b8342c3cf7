import { pspInvoiceNames } from '../../domain/debts/debt-names.ts';
import type { DebtStore, LearnPspInvoice } from '../../recovery/debts/debt-ports.ts';
import type { Database, Queryable, Statement } from '../database.ts';
import { findEnded } from '../intake/find-ended.ts';
import { mergeDebts } from './merge-debts.ts';
import { moveHistory } from './move-history.ts';

/** No charge of the attempt is there yet, so that none has been sent without the invoice. */
const setInvoice: Statement = {
  name: 'set_psp_invoice',
  text: `
    update payments p set psp_invoice_id = $4, psp_invoice_state = 'known'
    where p.merchant_id = $1 and p.invoice_id = $2 and p.fence = $3 and p.psp_invoice_id is null
      and not exists (
        select from psp_transactions t
        where t.merchant_id = p.merchant_id and t.invoice_id = p.invoice_id
          and t.state in ('sending', 'unknown'))
    returning 1`,
};

const claim: Statement = {
  name: 'claim_psp_invoice',
  text: `
    insert into debt_identities (merchant_id, kind, value, invoice_id, channel, created_at)
    select $1, n.kind, n.value, $2, 'psp', $5
    from unnest($3::text[], $4::text[]) as n (kind, value)
    order by n.kind, n.value
    on conflict (merchant_id, kind, value) do nothing`,
};

/** In a statement of its own: it sees who was first where the claim came second. */
const owners: Statement = {
  name: 'find_psp_invoice_debts',
  text: `
    select distinct coalesce(p.joined_to, d.invoice_id) as invoice_id
    from unnest($2::text[], $3::text[]) as n (kind, value)
    join debt_identities d on d.merchant_id = $1 and d.kind = n.kind and d.value = n.value
    join payments p on p.merchant_id = d.merchant_id and p.invoice_id = d.invoice_id`,
};

const noInvoice: Statement = {
  name: 'note_no_psp_invoice',
  text: `
    update payments set psp_invoice_state = 'none'
    where merchant_id = $1 and invoice_id = $2 and fence = $3 and psp_invoice_id is null`,
};

/** What the engine learns of debts. */
export function createDebtStore(db: Database): DebtStore {
  return {
    async learnPspInvoice(input) {
      const debtId = await db.transaction((tx) => learn(tx, input));
      if (debtId === undefined) return undefined;
      const [ended] = await findEnded(db, [{ merchantId: input.merchantId, invoiceId: debtId }]);
      return ended?.invoiceId === input.invoiceId ? ended : undefined;
    },
    async noteNoPspInvoice({ merchantId, invoiceId, fence }) {
      await db.query(noInvoice, [merchantId, invoiceId, fence]);
    },
  };
}

/** The debt's id; undefined where the lease was lost. */
async function learn(tx: Queryable, input: LearnPspInvoice): Promise<string | undefined> {
  const { merchantId, invoiceId, fence, psp, pspInvoiceId, at } = input;
  const names = pspInvoiceNames(psp, pspInvoiceId);
  const columns = [names.map((name) => name.kind), names.map((name) => name.value)];
  await tx.query(claim, [merchantId, invoiceId, ...columns, at]);
  const held = await tx.query(setInvoice, [merchantId, invoiceId, fence, pspInvoiceId]);
  if (held.length === 0) return undefined;
  const rows = await tx.query<{ invoice_id: string }>(owners, [merchantId, ...columns]);
  const debts = new Set([invoiceId, ...rows.map((row) => row.invoice_id)]);
  const debtId = await mergeDebts(tx, { merchantId, invoiceIds: [...debts], at });
  const reported = names.filter((name) => name.kind === 'invoice');
  await moveHistory(
    tx,
    reported.map((name) => ({ merchantId, invoiceId: debtId, reportedAs: name.value })),
  );
  return debtId;
}
