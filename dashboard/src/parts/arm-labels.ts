/** How payments are planned, by the names of an experiment's arms. */
export const armLabels: Readonly<Record<string, string>> = {
  learned: 'Learned policy',
  holdout: 'Holdout, simple schedule',
  fallback: 'Planned while the model was not trusted',
  none: 'Without a learned policy',
};
