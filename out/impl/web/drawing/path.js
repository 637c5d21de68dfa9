/** The path of a packet as a line through the drawing. Pure. */

/**
 * @param hops as rpc trace returns them
 * @returns {points, links, switches}; what is not drawn or no longer exists is left out
 */
export function pathLine(model, drawing, hops) {
  const ends = linkEnds(model);
  const result = { points: [], links: [], switches: [...new Set(hops.map((hop) => hop.switch))] };
  if (hops.length) {
    result.points.push(...hub(drawing, hops[0].switch));
  }
  for (const hop of hops) {
    const end = ends.get(`${hop.switch}:${hop['out-port']}`);
    const drawn = end && drawing.links.get(end.link);
    if (drawn) {
      const upwards = end.side === 'lower';
      const [leave, arrive] = upwards ? [drawn.toLower, drawn.toUpper] : [drawn.toUpper, drawn.toLower];
      const points = upwards ? drawn.points : [...drawn.points].reverse();
      result.points.push(...[...leave].reverse(), ...points, ...arrive);
      result.links.push(end.link);
    }
  }
  result.points = result.points.filter((point, at) => at === 0
    || point[0] !== result.points[at - 1][0] || point[1] !== result.points[at - 1][1]);
  return result;
}

function linkEnds(model) {
  const ends = new Map();
  for (const link of model.links.values()) {
    ends.set(`${link.lower.switch}:${link.lower.port}`, { link: link.id, side: 'lower' });
    ends.set(`${link.upper.switch}:${link.upper.port}`, { link: link.id, side: 'upper' });
  }
  return ends;
}

function hub(drawing, name) {
  const node = drawing.nodes.get(name) ?? drawing.groups.find((group) => group.names.includes(name));
  return node?.hub ? [node.hub] : [];
}
