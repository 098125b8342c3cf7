/** Shapes beside the words, so that a state is never told by its colour alone. */
const shapes: Readonly<Record<string, string>> = {
  recovered: '✓',
  succeeded: '✓',
  delivered: '✓',
  healthy: '✓',
  scheduled: '◷',
  pending: '◷',
  attempting: '▸',
  checking: '▸',
  charging: '▸',
  sending: '▸',
  stopped: '■',
  not_attempted: '■',
  not_made: '■',
  exhausted: '✕',
  declined: '✕',
  failing: '✕',
  unknown: '?',
  pass: '✓',
  passed: '✓',
  accepted: '✓',
  valid: '✓',
  fail: '✕',
  failed: '✕',
  refused: '✕',
  revoked: '■',
  expired: '■',
  unreachable: '?',
  missing: '?',
  submitted: '✓',
  staged: '◷',
  won: '✓',
  lost: '✕',
  needs_response: '!',
  under_review: '▸',
  active: '✓',
  candidate: '◷',
  retired: '■',
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

/** A state as a word with a shape and a colour of its own. */
export function StatePill({ state }: { readonly state: string }) {
  return (
    <span className={`pill pill-${state}`}>
      <span aria-hidden="true">{shapes[state] ?? '•'}</span> {state.replaceAll('_', ' ')}
    </span>
  );
}
