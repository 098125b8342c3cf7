import type { DisputeMatch, MatchStore } from '../../../disputes/dispute-ports.ts';
import type { Database, Queryable, Statement } from '../../database.ts';
import { openStatuses } from '../status-lists.ts';
import { confirmMatch } from './confirm-match.ts';
import { findAnalyticsMatches } from './find-analytics-matches.ts';
import { findAnalyticsPriors } from './find-analytics-priors.ts';
import { findCandidates } from './find-candidates.ts';
import { findToMatch } from './find-to-match.ts';
import { holdAnalytics } from './hold-analytics.ts';

/** $3: what was found, the best first. */
const given = `json_to_recordset($3::json) as m ("analyticsId" text, rank int, score int,
        reasons text[], "isInherited" boolean)`;

/**
 * The first look at a dispute in one statement, which is its own transaction: nothing was found
 * before, so nothing is forgotten or let go. Where somebody else looked first its row is not
 * pending any more, and nothing is written. One that is pending because it was told anew has what was found before.
 */
const noteFirst: Statement = {
  name: 'note_first_dispute_matches',
  text: `
    with looked as (
      update disputes set match_state = $4, matched_at = $5, match_score = $6, matched_by = $7
      where merchant_id = $1 and dispute_id = $2 and match_state = 'pending'
        and not exists (select from dispute_matches where merchant_id = $1 and dispute_id = $2)
      returning status
    ),
    noted as (
      insert into dispute_matches (merchant_id, dispute_id, analytics_id, rank, score, reasons,
        is_inherited)
      select $1, $2, m."analyticsId", m.rank, m.score, m.reasons, m."isInherited"
      from looked, ${given}
    ),
    -- In the order of their ids, as they are locked everywhere: another dispute may have found the same.
    needed as (
      select * from (
        select a.analytics_id
        from looked, ${given}
        join analytics a on a.merchant_id = $1 and a.analytics_id = m."analyticsId"
        where $4 in ('matched', 'conflict') and looked.status in ${openStatuses}
          and a.state <> 'erased' and not a.legal_hold
        order by a.analytics_id
        for update of a
      ) locked offset 0
    ),
    held as (
      update analytics a set legal_hold = true
      from needed n
      where a.merchant_id = $1 and a.analytics_id = n.analytics_id
    )
    select from looked`,
};

const lock: Statement = {
  name: 'lock_dispute_for_match',
  text: `
    select matched_by from disputes where merchant_id = $1 and dispute_id = $2 for update`,
};

const forget: Statement = {
  name: 'forget_dispute_matches',
  text: `
    delete from dispute_matches where merchant_id = $1 and dispute_id = $2
    returning analytics_id`,
};

const note: Statement = {
  name: 'note_dispute_matches',
  text: `
    with noted as (
      insert into dispute_matches (merchant_id, dispute_id, analytics_id, rank, score, reasons,
        is_inherited)
      select $1, $2, m."analyticsId", m.rank, m.score, m.reasons, m."isInherited"
      from ${given}
    )
    update disputes set match_state = $4, matched_at = $5, match_score = $6, matched_by = $7
    where merchant_id = $1 and dispute_id = $2`,
};

const look: Statement = {
  name: 'note_dispute_was_looked_at',
  text: 'update disputes set matched_at = $3 where merchant_id = $1 and dispute_id = $2',
};

export function createMatchStore({ db }: { readonly db: Database }): MatchStore {
  return {
    findCandidates: (dispute) => db.transaction((tx) => findCandidates(tx, dispute), 'kept'),
    async save(input) {
      const first = await db.query(noteFirst, foundValues({ ...input, matchedBy: 'rule' }));
      if (first.length === 0) await db.transaction((tx) => save(tx, input));
    },
    findToMatch: (input) => findToMatch(db, input),
    confirm: (input) =>
      confirmMatch(db, input, (tx, matches) =>
        replace(tx, { ...input, matches, state: 'matched', matchedBy: 'person' }),
      ),
    findOfAnalytics: (input) => findAnalyticsMatches(db, input),
    findPriorsOfAnalytics: (input) => findAnalyticsPriors(db, input),
  };
}

async function save(tx: Queryable, input: Parameters<MatchStore['save']>[0]): Promise<void> {
  const { merchantId, disputeId, at } = input;
  const [row] = await tx.query<{ matched_by: string | null }>(lock, [merchantId, disputeId]);
  if (row?.matched_by === 'person') await tx.query(look, [merchantId, disputeId, at]);
  else await replace(tx, { ...input, matchedBy: 'rule' });
}

interface Found extends Omit<Parameters<MatchStore['save']>[0], 'matches'> {
  readonly matches: readonly DisputeMatch[];
  readonly matchedBy: 'rule' | 'person';
}

async function replace(tx: Queryable, input: Found): Promise<void> {
  const { merchantId, disputeId } = input;
  const key = [merchantId, disputeId];
  const before = await tx.query<{ analytics_id: string }>(forget, key);
  await tx.query(note, foundValues(input));
  const ids = before.map((row) => row.analytics_id);
  await holdAnalytics(tx, { merchantId, disputeId }, ids);
}

function foundValues(input: Found): readonly unknown[] {
  const { merchantId, disputeId, state, matches, at, matchedBy } = input;
  const ranked = matches.map((match, index) => ({ ...match, rank: index + 1 }));
  const isMatched = state === 'matched';
  return [
    ...[merchantId, disputeId, JSON.stringify(ranked), state, at],
    isMatched ? matches[0]?.score : null,
    isMatched ? matchedBy : null,
  ];
}
