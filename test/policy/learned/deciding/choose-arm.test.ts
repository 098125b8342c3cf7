import { expect, it } from 'vitest';
import { chooseArm } from '../../../../src/policy/learned/deciding/choose-arm.ts';
import { unitOf } from '../../../../src/policy/learned/hash.ts';

const payment = { paymentId: 'in_1', triesMade: 0 };
const place = unitOf('in_1', 'salt/holdout');
const chosen = (holdoutShare: number, learnedShare: number) =>
  chooseArm({ holdoutShare, learnedShare, exploreShare: 0, salt: 'salt' }, payment);

it('a payment whose place lies below the held-out share is held out, and no other', () => {
  const held = 'the payment is held out to compare with';
  expect(chosen(place + 0.001, 1)).toMatchObject({
    kind: 'schedule',
    arm: 'holdout',
    because: held,
  });
  expect(chosen(place, 0)).toMatchObject({
    kind: 'schedule',
    because: 'the learned policy plans 0 % of the payments so far',
  });
  expect(chosen(place, 1)).toEqual({ kind: 'model', explores: false });
});

it('a model that is not trusted plans nothing, and the plan says why', () => {
  const shares = { holdoutShare: 0, learnedShare: 1, exploreShare: 1, salt: 'salt' };
  expect(chooseArm({ ...shares, distrust: 'it drifted' }, payment)).toEqual({
    kind: 'schedule',
    arm: 'fallback',
    because: 'it drifted',
    propensity: 1,
  });
});
