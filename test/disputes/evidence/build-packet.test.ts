import { describe, expect, test } from 'vitest';
import { buildPacket, hashOf, packetJson } from '../../../src/disputes/evidence/build-packet.ts';
import { elements, priorCharge, priorPair } from '../../kits/dispute-cases.ts';
import { packetFacts } from '../../kits/packet-cases.ts';

describe('the packet', () => {
  test('has one hash, which changes only with the form or the rules', () => {
    expect(buildPacket(packetFacts()).contentHash).toBe(
      'fc4f583761eb3fafb113e2b3bdf77e668cd67c50d06bb6fa57e8d284c9feaf9f',
    );
  });

  test('the order of candidates, of the timeline and of members says nothing', () => {
    const facts = packetFacts();
    const turned = packetFacts({
      candidates: [...facts.candidates].reverse(),
      timeline: [...facts.timeline].reverse(),
      customer: Object.fromEntries(Object.entries(facts.customer).reverse()),
    });
    expect(buildPacket(turned).contentHash).toBe(buildPacket(facts).contentHash);
  });

  test('an event that is told twice is one', () => {
    const facts = packetFacts();
    const twice = packetFacts({ timeline: [...facts.timeline, ...facts.timeline] });
    expect(buildPacket(twice)).toEqual(buildPacket(facts));
  });

  test('any other fact gives another hash', () => {
    const other = packetFacts({ merchantName: 'Acme Software Inc' });
    expect(buildPacket(other).contentHash).not.toBe(buildPacket(packetFacts()).contentHash);
  });

  test('whoever holds the content can reckon the hash', () => {
    const { content, contentHash } = buildPacket(packetFacts());
    expect(hashOf(JSON.parse(packetJson(content)))).toBe(contentHash);
  });

  test('it holds the priors that were chosen and no other, and no credential', () => {
    const other = priorCharge({ id: 'ch_other', elements: { ...elements, ip: '81.2.69.1' } });
    const { content } = buildPacket(packetFacts({ candidates: [...priorPair(), other] }));
    expect(content.priors.map(({ id }) => id)).toEqual(['ch_prior_1', 'ch_prior_2']);
    expect(packetJson(content)).not.toContain('fp_1');
    expect(packetJson(content)).not.toContain('ch_other');
  });
});
