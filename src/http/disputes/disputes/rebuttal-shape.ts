import { Type } from 'typebox';
import { rebuttalFault, rebuttalLimit } from '../../../disputes/added/rebuttal.ts';
import type { RebuttalView } from '../../../disputes/added/show-rebuttal.ts';
import {
  rebuttalPlace,
  rebuttalPlaceText,
} from '../../../disputes/evidence/renderers/rebuttal-place.ts';
import type { Fault } from '../../../domain/json/fault.ts';
import { present } from '../../../domain/present.ts';
import { textField } from '../../fields.ts';

/** A rebuttal as it is written. */
export const rebuttalField = textField(
  'Your letter to the issuer, in your own words: it is sealed, and goes with the evidence whole. An empty text removes it.',
  rebuttalLimit,
);

export const rebuttalShape = Type.Object(
  {
    text: Type.Optional(Type.String({ description: 'Absent where nobody wrote one.' })),
    limit: Type.Integer({ description: 'Characters that it may have.' }),
    psp_limit: Type.Optional(
      Type.Integer({
        description: "Characters of the PSP's own field; absent where the PDF holds it.",
      }),
    ),
    goes_to: Type.String({ description: 'Where the PSP gets it, in a sentence.' }),
    is_sent: Type.Boolean({
      description: 'Whether the evidence was sent on, so that it cannot be changed.',
    }),
  },
  { title: 'Rebuttal' },
);

export const rebuttalExample = {
  text: 'The customer signed in on 3 June and used the service until the charge.',
  limit: rebuttalLimit,
  psp_limit: 20_000,
  goes_to: 'It goes to uncategorized_text.',
  is_sent: false,
};

export function rebuttalJson(view: RebuttalView): Type.Static<typeof rebuttalShape> {
  const { psp, text, isSent } = view;
  return {
    ...present({ text }),
    limit: rebuttalLimit,
    ...present({ psp_limit: rebuttalPlace(psp).limit }),
    goes_to: rebuttalPlaceText(psp, text ?? ''),
    is_sent: isSent,
  };
}

/** What no schema says of a rebuttal: its lines and its characters. */
export function rebuttalFaults(value: unknown, at: string): readonly Fault[] {
  const text = (value as Readonly<Record<string, unknown>> | null)?.[at];
  const fault = typeof text === 'string' ? rebuttalFault(text) : undefined;
  return fault === undefined ? [] : [{ at, text: fault }];
}
