import type { PacketCharge, PacketContent } from '../disputes/evidence/packet.ts';
import {
  addressText,
  instantText,
  moneyText,
} from '../disputes/evidence/renderers/packet-texts.ts';
import { type ElementName, elementLabels, elementNames } from '../domain/disputes/ce3/elements.ts';
import { pspName, pspTitle } from '../domain/psps/psp-name.ts';
import { capital } from './capital.ts';

/** The most that a table's cell shows; the packet's JSON has the whole. */
const cellCharacters = 300;
const none = '–';

/** What the cover tells, in pairs. */
export function coverRows(content: PacketContent): readonly (readonly [string, string])[] {
  const { dispute, charge, customer } = content;
  const { reason, respondBy } = dispute;
  const stage = dispute.stage === undefined ? 'fraud warning' : words(dispute.stage);
  const status = dispute.status === undefined ? '' : `, ${words(dispute.status)}`;
  return [
    ['Merchant', short(content.merchantName)],
    ['Dispute', `${dispute.id} at ${pspName(dispute.psp)}`],
    ['Network and reason', `${capital(reason.network)} ${reason.code} (${reason.family})`],
    ['Stage', `${stage}${status}`],
    ['Amount in dispute', moneyText(dispute.money)],
    ['Charge', `${charge.id}, ${moneyText(charge.money)}`],
    ['Charged', instantText(charge.processedAt)],
    ['Disputed', instantText(dispute.disputedAt)],
    [
      'Answer due',
      respondBy ? `${instantText(respondBy.at)} (${respondBy.source})` : 'no date is known',
    ],
    ['Customer', short(customer.name ?? none)],
    ["Customer's id", short(customer.customerId ?? none)],
    ['Sold', short(charge.productDescription ?? 'not described')],
    ...(content.providedAt === undefined
      ? []
      : [['Provided', instantText(content.providedAt)] as const]),
  ];
}

/** The verdict, rule by rule: what holds, and what was found. */
export function ruleRows(content: PacketContent): readonly (readonly string[])[] {
  return content.verdict.rules.map(({ words: text, result, detail }) => [
    text,
    result === 'pass' ? 'holds' : result === 'fail' ? 'fails' : 'missing',
    short(detail),
  ]);
}

/** The charges side by side: facts first, then each element that any of them has. */
export function comparisonRows(content: PacketContent): readonly (readonly string[])[] {
  const charges = [content.charge, ...content.priors];
  const facts: readonly (readonly [string, (charge: PacketCharge) => string | undefined])[] = [
    ['Charge', ({ id }) => id],
    ['Processed at', ({ psp }) => pspTitle(psp)],
    ['Date', ({ processedAt }) => processedAt.slice(0, 10)],
    ['Amount', ({ money }) => moneyText(money)],
    ['ARN', ({ arn }) => arn],
    ['Descriptor', ({ descriptor }) => descriptor],
    ['Begun by', ({ initiatedBy }) => initiatedBy],
    ['Sold', ({ productDescription }) => productDescription],
  ];
  return [
    ...facts.map(([name, read]) => [name, ...charges.map((one) => short(read(one) ?? none)), '']),
    ...elementNames
      .filter((name) => charges.some((charge) => elementText(charge, name) !== undefined))
      .map((name) => [
        capital(elementLabels[name]),
        ...charges.map((charge) => cellOf(charge, name)),
        equalText(content, name),
      ]),
  ];
}

/** The timeline, oldest first; `kept` says which events have room. */
export function timelineRows(events: PacketContent['timeline']): readonly (readonly string[])[] {
  return events.map(({ at, kind, words: text, reference, money, merchantAgreedAt }) => [
    instantText(at),
    words(kind),
    [
      short(text),
      [money && moneyText(money), reference].filter(Boolean).join(', '),
      merchantAgreedAt && `The merchant agreed at ${instantText(merchantAgreedAt)}.`,
    ]
      .filter(Boolean)
      .join('\n'),
  ]);
}

/** The beginning of a text that is too long for a cell. */
function short(text: string): string {
  if (text.length <= cellCharacters) return text;
  return `${text.slice(0, cellCharacters).replace(/[\uD800-\uDBFF]$/, '')} […]`;
}

/** `pre_dispute` as it is read. */
function words(name: string): string {
  return name.replaceAll('_', ' ');
}

/** Whether the rules took an element for equal; what is equal and does not count here says so. */
function equalText({ charge, priors, verdict }: PacketContent, name: ElementName): string {
  if (priors.length === 0) return none;
  if (verdict.matchingNames.includes(name)) return 'yes';
  const isSame = priors.every((prior) => elementText(prior, name) === elementText(charge, name));
  return isSame ? 'yes, not counted' : 'no';
}

function cellOf(charge: PacketCharge, name: ElementName): string {
  const text = elementText(charge, name);
  if (text === undefined) return none;
  return charge.elements.inherited.includes(name)
    ? `${short(text)}\n(from the first charge of the mandate)`
    : short(text);
}

function elementText({ elements }: PacketCharge, name: ElementName): string | undefined {
  switch (name) {
    case 'ip':
      return elements.ip;
    case 'device_id':
      return elements.deviceId;
    case 'device_fingerprint':
      return elements.deviceFingerprint;
    case 'shipping_address':
      return elements.shippingAddress && addressText(elements.shippingAddress);
    case 'email':
      return elements.email;
    case 'login':
      return elements.login ?? (elements.emailIsLogin ? elements.email : undefined);
  }
}
