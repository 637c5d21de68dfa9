/** Moving through the drawing with the arrow keys. Pure. */

const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const ASIDE = 3;

/**
 * The item nearest to one in the direction of a key, what is straight ahead before what is aside; null if there is none.
 *
 * @param items [{id, x, y}], the centres
 */
export function neighbour(items, from, key) {
  const way = WAYS[key];
  const start = items.find((item) => item.id === from);
  if (!way || !start) {
    return null;
  }
  let best = null;
  let least = Infinity;
  for (const item of items) {
    const ahead = (item.x - start.x) * way[0] + (item.y - start.y) * way[1];
    const aside = Math.abs((item.x - start.x) * way[1]) + Math.abs((item.y - start.y) * way[0]);
    if (item.id !== from && ahead > 0.5 && ahead + ASIDE * aside < least) {
      least = ahead + ASIDE * aside;
      best = item.id;
    }
  }
  return best;
}
