import type pg from 'pg';

/** The time of a party outside that goes with the sandbox's clock of the service. */
export interface FollowedClock {
  now(): Date;
  /** Reads anew how far the sandbox's clock was moved. */
  follow(): Promise<void>;
}

/**
 * A PSP that kept real time while the service's clock is moved by days would date its charges on other
 * days than the service does, and the nightly comparison of both would find each of them missing.
 */
export function createFollowedClock(client: pg.Pool): FollowedClock {
  let offsetMs = 0;
  return {
    now: () => new Date(Date.now() + offsetMs),
    async follow() {
      const { rows } = await client.query<{ offset_ms: number }>(
        'select offset_ms::float8 from sandbox_clock',
      );
      offsetMs = rows[0]?.offset_ms ?? offsetMs;
    },
  };
}
