/**
 * The edition of the network rules that a decision was made under. It changes with every figure, so
 * that a decision of the past can be explained by the rules of its day.
 */
export const rulePackVersion = '2026.11.1';
