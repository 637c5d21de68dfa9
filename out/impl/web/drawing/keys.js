/** Navigation with the arrow keys. Pure. */

const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const ASIDE_FACTOR = 3;

/**
 * The nearest item in the direction of a key; sideways distance counts three times. Null if there is none.
 *
 * @param items [{id, x, y}] with the centres
 */
export function neighbour(items, from, key) {
  const direction = DIRECTIONS[key];
  const start = items.find((item) => item.id === from);
  if (!direction || !start) {
    return null;
  }
  let best = null;
  let lowestCost = Infinity;
  for (const item of items) {
    const ahead = (item.x - start.x) * direction[0] + (item.y - start.y) * direction[1];
    const aside = Math.abs((item.x - start.x) * direction[1]) + Math.abs((item.y - start.y) * direction[0]);
    if (item.id !== from && ahead > 0.5 && ahead + ASIDE_FACTOR * aside < lowestCost) {
      lowestCost = ahead + ASIDE_FACTOR * aside;
      best = item.id;
    }
  }
  return best;
}
