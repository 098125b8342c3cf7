import { describe, expect, it } from 'vitest';
import {
  charactersIn,
  cleanRebuttal,
  rebuttalFault,
  rebuttalLimit,
  rebuttalLines,
} from '../../../src/disputes/added/rebuttal.ts';
import {
  rebuttalPlace,
  rebuttalPlaceText,
} from '../../../src/disputes/evidence/renderers/rebuttal-place.ts';

describe('a rebuttal', () => {
  it('may fill its characters, counted as a person counts them, and no more', () => {
    expect(rebuttalFault('x'.repeat(rebuttalLimit))).toBeUndefined();
    expect(rebuttalFault('😀'.repeat(rebuttalLimit))).toBeUndefined();
    expect(rebuttalFault('x'.repeat(rebuttalLimit + 1))).toContain('this one has 20001');
    expect(rebuttalFault(`\r\n${'x'.repeat(rebuttalLimit)}  `)).toBeUndefined();
  });

  it('may fill its lines, and no more', () => {
    expect(rebuttalFault('x\n'.repeat(rebuttalLines))).toBeUndefined();
    expect(rebuttalFault('x\n'.repeat(rebuttalLines + 1))).toContain('this one has 401');
  });

  it('has no control characters but tabs and line breaks', () => {
    expect(rebuttalFault('one\ttwo\r\nthree')).toBeUndefined();
    expect(rebuttalFault('one\u0000two')).toContain('control characters');
    expect(rebuttalFault('one\u001b[31mtwo')).toContain('control characters');
  });

  it('is kept with one form of line break and nothing blank around it', () => {
    expect(cleanRebuttal('\r\n Dear bank,\r\n\rYours \n')).toBe('Dear bank,\n\nYours');
    expect(cleanRebuttal(' \n ')).toBe('');
    expect(charactersIn('a😀')).toBe(2);
  });

  it('goes to a field of the PSP, or where that does not hold it to the PDF', () => {
    expect(rebuttalPlaceText('stripe', 'x')).toBe('It goes to uncategorized_text.');
    expect(rebuttalPlaceText('paypal', 'x'.repeat(2_000))).toContain('notes of MERCHANT_RESPONSE');
    expect(rebuttalPlaceText('paypal', 'x'.repeat(2_001))).toContain('it goes to the PDF');
    expect(rebuttalPlace('worldpay').limit).toBeUndefined();
    expect(rebuttalPlaceText('adyen', 'x')).toBe('It goes to the PDF of the evidence.');
  });
});
