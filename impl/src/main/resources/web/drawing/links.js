/** Draws links, and the bundles of closed pods. Colour, dash and sign show the state, width the load. */
import { percent, sign, stateWord, worst } from '../fabric/words.js';

const { line, scaleLinear } = globalThis.d3;
const WIDTH = scaleLinear([0, 1], [1.2, 4.4]).clamp(true);

export function drawLinks(layer, view) {
  const links = layer.selectAll('g.link').data(items(view), (item) => item.key).join((enter) => {
    const group = enter.append('g').attr('role', 'button');
    group.append('path').attr('class', 'hit');
    group.append('path').attr('class', 'stroke');
    group.append('text').attr('class', 'sign').attr('aria-hidden', 'true');
    group.append('title');
    return group;
  });
  links.attr('class', (item) => `item link ${item.kind} ${item.state}`)
    .attr('data-id', (item) => item.id).attr('data-state', (item) => item.state)
    .attr('aria-label', (item) => item.label);
  links.select('path.hit').attr('d', (item) => line()(item.points));
  links.select('path.stroke').attr('d', (item) => line()(item.points)).attr('stroke-width', (item) => WIDTH(item.load));
  links.select('text.sign').attr('x', (item) => item.x).attr('y', (item) => item.y + 4).text((item) => item.sign);
  links.select('title').text((item) => item.label);
}

function items({ model, drawing, loads }) {
  const single = [...drawing.links].filter(([, drawn]) => !drawn.bundled).map(([id, drawn]) => {
    const link = model.links.get(id);
    const load = loads.get(id).relative;
    return {
      kind: 'link', id, key: `link ${id}`, points: drawn.points, state: link.state, load, sign: sign(link.state),
      label: `link ${id} to ${link.upper.switch === link.switch ? link.lower.switch : link.upper.switch}, ${stateWord(link.state)}, load ${percent(load)}`,
      ...middle(drawn.points),
    };
  });
  return [...single, ...drawing.bundles.map((bundle) => bundleItem(model, loads, bundle))];
}

function bundleItem(model, loads, bundle) {
  const states = bundle.ids.map((id) => model.links.get(id).state);
  const up = states.filter((state) => state === 'up').length;
  const state = worst(states);
  return {
    kind: 'bundle', id: bundle.id, key: `bundle ${bundle.id}`, points: bundle.points, state,
    load: Math.max(...bundle.ids.map((id) => loads.get(id).relative)),
    sign: state === 'up' ? '' : `${sign(state)}${up < states.length && up > 0 ? states.length - up : ''}`,
    label: `uplinks of ${bundle.id}: ${up} of ${states.length} up`,
    ...middle(bundle.points),
  };
}

function middle(points) {
  const [from, to] = [points[0], points[points.length - 1]];
  return { x: (from[0] + to[0]) / 2, y: (from[1] + to[1]) / 2 };
}
