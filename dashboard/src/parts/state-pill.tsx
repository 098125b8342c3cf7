/** Shapes beside the words, so that a state is never told by its colour alone. */
const shapes: Readonly<Record<string, string>> = {
  recovered: '✓',
  succeeded: '✓',
  delivered: '✓',
  sent: '✓',
  healthy: '✓',
  scheduled: '◷',
  pending: '◷',
  waiting_for_customer: '☎',
  on_hold: '!',
  attempting: '▸',
  checking: '▸',
  charging: '▸',
  sending: '▸',
  stopped: '■',
  not_attempted: '■',
  not_made: '■',
  exhausted: '✕',
  given_up: '✕',
  declined: '✕',
  failing: '✕',
  paused: '■',
  unknown: '?',
  pass: '✓',
  passed: '✓',
  accepted: '■',
  accepting: '▸',
  valid: '✓',
  fail: '✕',
  failed: '✕',
  refused: '✕',
  bounced: '✕',
  revoked: '■',
  expired: '■',
  unreachable: '?',
  missing: '?',
  submitted: '✓',
  staged: '◷',
  won: '✓',
  lost: '✕',
  needs_response: '!',
  past_due: '✕',
  under_review: '▸',
  active: '✓',
  candidate: '◷',
  retired: '■',
  removed: '■',
  queued: '◷',
  reading: '▸',
  training: '▸',
  testing: '▸',
  done: '✓',
  open: '!',
  refunding: '▸',
  refunded: '✓',
  dismissed: '■',
  holds: '✓',
  broken: '✕',
};

/** Every state that has a shape. */
export const shapedStates = Object.keys(shapes);

/** A state as a word with a shape and a colour of its own. */
export function StatePill({ state }: { readonly state: string }) {
  return (
    <span className={`pill pill-${state}`}>
      <span aria-hidden="true">{shapes[state] ?? '•'}</span> {stateName(state)}
    </span>
  );
}

/** A state in words, as the trade says it. */
export function stateName(state: string): string {
  const words = names[state] ?? state.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const names: Readonly<Record<string, string>> = {
  waiting_for_customer: 'waiting for the customer',
  exhausted: 'not recovered',
  pre_arbitration: 'pre-arbitration',
  pre_dispute: 'pre-dispute',
};
