#!/usr/bin/env node
import { keepCompiled } from '../compile-cache.ts';

keepCompiled();
// Only what is imported after that is kept.
await import('./run-command.ts');
