/** As RFC 9562 writes a UUID, between characters that belong to no other id. */
const uuid =
  /(?<![0-9a-z])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![0-9a-z])/gi;

/**
 * The characters with each UUID blanked out. One in some 30,000 random ones has the groups, the range and
 * the check digit of a card's number of twelve digits. One without any letter stays: it is likelier a
 * number that was broken up to look like one.
 */
export function blankUuids(characters: readonly string[]): readonly string[] {
  if (characters.length < 36) return characters;
  // A character beyond the basic plane counts as one, as in the list.
  const text = characters.map((each) => (each.length === 1 ? each : ' ')).join('');
  const blanked = text.replaceAll(uuid, (found) =>
    /[a-f]/i.test(found) ? 'x'.repeat(found.length) : found,
  );
  return blanked === text ? characters : [...blanked];
}
