export { type Present, present } from '../../domain/present.ts';
