import { randomBytes } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { localKeyProvider } from '../../src/store/sealing/key-provider.ts';
import { createKeyRing } from '../../src/store/sealing/key-ring.ts';
import { random } from '../kits/engine.ts';
import { operatorToken } from '../kits/operator-server.ts';
import { operatorService } from '../kits/operator-service.ts';
import { startProgram } from '../kits/program.ts';

it('a rotation that no worker goes on with is told of, with the key that one needs', async () => {
  const key = () => localKeyProvider({ random }, randomBytes(32));
  const present = key();
  const service = await operatorService({}, { keys: createKeyRing(present, [key()]) });
  await service.merchant();
  const url = await service.server.listen({ host: '127.0.0.1', port: 0 });
  const env = { OPERATOR_URL: url, OPERATOR_TOKEN: operatorToken };
  const program = startProgram('node', ['src/cli/recoup.ts', 'keys', 'rotate'], env);
  onTestFinished(() => program.abandon());
  const told = await program.until(({ stderr }) => /No worker goes on: .*/.exec(stderr)?.[0]);
  expect(told).toContain(`one that has ${present.keyId} as ENCRYPTION_KEY is needed`);
});
