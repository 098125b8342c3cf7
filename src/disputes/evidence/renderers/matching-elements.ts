import { type ElementName, elementNames } from '../../../domain/disputes/ce3/elements.ts';
import type { PacketCharge } from '../packet.ts';

type Elements = PacketCharge['elements'];
type Member = Exclude<keyof Elements, 'emailIsLogin' | 'inherited'>;

const members: Readonly<Record<ElementName, Member>> = {
  ip: 'ip',
  device_id: 'deviceId',
  device_fingerprint: 'deviceFingerprint',
  shipping_address: 'shippingAddress',
  email: 'email',
  login: 'login',
};

/** A charge's elements that the verdict took for equal over all charges. */
export function onlyElements(
  { elements }: PacketCharge,
  names: readonly ElementName[],
): Pick<Elements, Member> {
  const kept = names.map((name) => members[name]);
  return Object.fromEntries(
    kept.filter((member) => elements[member] !== undefined).map((one) => [one, elements[one]]),
  );
}

/** The elements that a charge has and that are not equal over all of them, or were refused. */
export function unequalElements(
  { elements }: PacketCharge,
  names: readonly ElementName[],
): readonly ElementName[] {
  return elementNames.filter(
    (name) => elements[members[name]] !== undefined && !names.includes(name),
  );
}
