import { expect, it } from 'vitest';
import { operatorToken } from '../kits/operator-server.ts';
import { operatorService } from '../kits/operator-service.ts';
import { runCli } from '../kits/run-cli.ts';

it('follows the newest check where no time is given, and says so where there is none', async () => {
  const { server, ask, db } = await operatorService();
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  const env = { OPERATOR_URL: url, OPERATOR_TOKEN: operatorToken };
  const none = await runCli('recoup', ['restore-check'], { env });
  expect(none).toMatchObject({
    code: 2,
    stderr:
      'recoup: No restored backup was checked yet. Give the time of the backup: --from <time>.\n',
  });

  await ask('POST', '/api/restore-checks', { restored_from: '2026-03-01T04:00:00.000Z' });
  const done = `update restore_checks set state = 'done', payments = 7, ended_at = started_at`;
  await db.query({ name: 'done', text: done }, []);
  const newest = await runCli('recoup', ['restore-check'], { env });
  expect(newest).toMatchObject({
    code: 0,
    stdout: 'done: 7 open payments are looked up before they are charged\n',
  });
});
