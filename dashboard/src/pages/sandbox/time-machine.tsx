import { useState } from 'react';
import type { ClockJson } from '../../api/generated/sandbox.ts';
import { type Move, useAskPlanned, useClock, useMoveClock } from '../../api/sandbox.ts';
import { ActButton } from '../../parts/act-button.tsx';
import { Choice } from '../../parts/choice.tsx';
import { count } from '../../parts/count.ts';
import { exactTime, relativeTime } from '../../parts/format-time.ts';
import { Panel } from '../../parts/panel.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { useNow } from '../../state/service-time.tsx';
import { type AskedMove, isLarge, MoveQuestion, wholeFuture } from './move-question.tsx';
import { usePlay } from './use-play.ts';

const speeds: readonly (readonly [advance: string, words: string])[] = [
  ['PT10M', '10 minutes a second'],
  ['PT1H', '1 hour a second'],
  ['PT6H', '6 hours a second'],
  ['P1D', '1 day a second'],
];

const hourMs = 3_600_000;

function textOf(speed: string): string {
  return speeds.find(([advance]) => advance === speed)?.[1] ?? speed;
}

/** Moves the sandbox's time. Everything that falls due on the way happens, each at its own time. */
export function TimeMachine() {
  const clock = useClock();
  return (
    <Panel title="Time machine">
      <QueryView query={clock} what="the clock" rows={2}>
        {(data) => <Machine clock={data} />}
      </QueryView>
    </Panel>
  );
}

function Machine({ clock }: { readonly clock: ClockJson }) {
  const now = useNow();
  const move = useMoveClock();
  const planned = useAskPlanned();
  const [speed, setSpeed] = useState('PT1H');
  const [asked, setAsked] = useState<AskedMove | undefined>(undefined);
  const play = usePlay(async () => {
    await move.mutateAsync({ advance: speed });
  });
  const isBusy = move.isPending || planned.isPending || play.isPlaying;
  /** At once where nothing is planned on the way; else what will happen is said first. */
  const askFirst = (question: Omit<AskedMove, 'planned'>, advance: string): void =>
    planned.mutate(advance, {
      onSuccess: (found) => {
        if (found.attempts + found.deliveries === 0) question.go();
        else setAsked({ ...question, planned: found });
      },
    });
  const to = (name: string, target: Move, byMs: number) => (
    <ActButton
      isBusy={isBusy}
      onClick={() => {
        const go = (): void => move.mutate(target);
        const until = new Date(Date.parse(clock.now) + byMs);
        if (isLarge(byMs)) askFirst({ until, go }, `PT${Math.ceil(byMs / 1_000)}S`);
        else go();
      }}
    >
      {name}
    </ActButton>
  );
  const { next_event_at: nextAt } = clock;
  const nextMs = nextAt === undefined ? 0 : Math.max(0, Date.parse(nextAt) - Date.parse(clock.now));
  return (
    <div className="machine">
      <p className="machine-now">{exactTime(new Date(clock.now))}</p>
      <p className="muted">
        {nextAt === undefined
          ? 'Nothing is planned: no payment is open.'
          : `The next event is ${relativeTime(new Date(nextAt), now)}. `}
        Time goes forward only, and everything on the way really happens: checks, charges, webhooks.
      </p>
      <div className="machine-controls">
        {to('+ 1 hour', { advance: 'PT1H' }, hourMs)}
        {to('+ 1 day', { advance: 'P1D' }, 24 * hourMs)}
        {to('+ 1 week', { advance: 'P7D' }, 7 * 24 * hourMs)}
        {to('+ 4 weeks', { advance: 'P28D' }, 28 * 24 * hourMs)}
        {nextAt !== undefined && to('To the next event', { next_event: true }, nextMs)}
        <Choice
          label="Speed"
          value={speed}
          options={speeds.map(([value, label]) => ({ value, label }))}
          onChange={setSpeed}
        />
        <ActButton
          className={play.isPlaying ? 'button' : 'button primary'}
          isBusy={(move.isPending || planned.isPending) && !play.isPlaying}
          onClick={
            play.isPlaying
              ? play.pause
              : () => askFirst({ speed: textOf(speed), go: play.start }, wholeFuture)
          }
        >
          {play.isPlaying ? '❚❚ Pause' : '▶ Play'}
        </ActButton>
      </div>
      <p role="status" className="muted">
        {stateText(play.isPlaying, move)}
      </p>
      <p role="alert" className="form-error">
        {(move.error ?? planned.error)?.message}
      </p>
      <MoveQuestion asked={asked} onClose={() => setAsked(undefined)} />
    </div>
  );
}

function stateText(isPlaying: boolean, move: ReturnType<typeof useMoveClock>): string {
  if (isPlaying) return 'Time is playing. It stops here when you pause or leave this page.';
  if (move.isPending) return 'Time moves; everything that falls due on the way is being done…';
  if (move.data === undefined) return '';
  return `Done: time stopped at ${count(move.data.jumps, 'point', 'points')} on the way.`;
}
