import { describe, expect, it } from 'vitest';
import { AppError, errorRegistry, InvariantError, invariant } from '../../src/domain/errors.ts';

describe('the registry of errors', () => {
  it.each(Object.entries(errorRegistry))('%s says what is wrong and what to do', (code, entry) => {
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
    expect(entry.what).toMatch(/^[A-Z].*\.$/);
    expect(entry.action).toMatch(/^[A-Z].*\.$/);
  });
});

describe('an AppError', () => {
  it('is one line: what is wrong, what to do, the code', () => {
    const error = new AppError('port_taken', 'Port 8080 is taken.');
    expect(error.message).toBe(
      `Port 8080 is taken. ${errorRegistry.port_taken.action} [port_taken]`,
    );
    expect(error).toMatchObject({ name: 'AppError', code: 'port_taken' });
    expect(error.detail).toBe('Port 8080 is taken.');
  });

  it('without words of its own has those of its code', () => {
    expect(new AppError('not_found').detail).toBe(errorRegistry.not_found.what);
  });

  it('keeps its cause', () => {
    const cause = new Error('ECONNREFUSED');
    expect(new AppError('database_unreachable', undefined, { cause }).cause).toBe(cause);
  });
});

describe('a broken promise of our own', () => {
  it('is thrown, and only then', () => {
    expect(() => invariant(true, 'a charge has a yes')).not.toThrow();
    expect(() => invariant(false, 'a charge has a yes')).toThrow(
      new InvariantError('a charge has a yes'),
    );
  });

  it('is no AppError: it is never an answer to bad input', () => {
    expect(new InvariantError('x')).not.toBeInstanceOf(AppError);
    expect(new InvariantError('x')).toMatchObject({ name: 'InvariantError' });
  });
});
