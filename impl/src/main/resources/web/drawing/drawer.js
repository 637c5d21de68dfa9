/** The drawing: its layers, and navigation by mouse and keyboard. */
import { neighbour } from './keys.js';
import { drawGround } from './ground.js';
import { drawLinks } from './links.js';
import { drawSwitches } from './switches.js';

const { select, line } = globalThis.d3;
const LAYERS = ['ground', 'links', 'trace', 'switches'];

/**
 * @param svg the element to draw in
 * @param actions {choose({kind, id}), toggle(pod), leave()}
 * @returns a function that draws {model, drawing, loads, selected, path, preview}
 */
export function drawer(svg, actions) {
  const root = select(svg);
  const layers = Object.fromEntries(LAYERS.map((name) => [name, root.append('g').attr('class', name)]));
  let current = null;
  let items = [];

  const activate = (datum) => (datum.kind === 'pod' ? actions.toggle(datum.pod) : actions.choose({ kind: datum.kind, id: datum.id }));
  root.on('click', (event) => {
    const datum = itemOf(event.target);
    if (datum) {
      activate(datum);
    }
  });
  // on the parent: with the listener the drawing itself would become a Tab stop
  svg.parentElement.addEventListener('focusin', (event) => setCurrent(itemOf(event.target)?.key));
  root.on('keydown', (event) => {
    const datum = itemOf(event.target);
    const next = datum && neighbour(items, datum.key, event.key);
    if (next) {
      elementOf(next)?.focus();
    } else if (datum && (event.key === 'Enter' || event.key === ' ')) {
      activate(datum);
    } else if (event.key === 'Escape') {
      actions.leave();
      return;
    } else {
      return;
    }
    event.preventDefault();
  });

  function itemOf(target) {
    const found = target.closest('.item');
    return found && svg.contains(found) ? select(found).datum() : null;
  }

  function elementOf(key) {
    return root.selectAll('.item').filter((datum) => datum.key === key).node();
  }

  /** The drawing has one Tab stop; the arrow keys move from there. */
  function setCurrent(key) {
    current = items.some((item) => item.id === key) ? key : items[0]?.id;
    root.selectAll('.item').attr('tabindex', (datum) => (datum.key === current ? 0 : -1));
  }

  return {
    show(view) {
      root.attr('viewBox', `0 0 ${view.drawing.width} ${view.drawing.height}`)
        .attr('width', view.drawing.width).attr('height', view.drawing.height);
      drawGround(layers.ground, view);
      drawLinks(layers.links, view);
      drawSwitches(layers.switches, view);
      drawPath(layers.trace, view.path);
      const isSelected = (datum) => datum.kind === view.selected?.kind && datum.id === view.selected?.id;
      root.selectAll('.item').classed('selected', isSelected).attr('aria-current', (datum) => (isSelected(datum) ? 'true' : null));
      items = root.selectAll('.item').data().map((datum) => ({ id: datum.key, x: datum.x, y: datum.y }));
      setCurrent(current);
    },
    /** Focuses an item if it is drawn. */
    focus(kind, id) {
      elementOf(`${kind} ${id}`)?.focus();
    },
  };
}

function drawPath(layer, path) {
  const lines = path?.points.length ? [['halo', path], ['flow', path]] : [];
  layer.selectAll('path').data(lines).join('path')
    .attr('class', ([name, each]) => `${name} ${each.arrives ? 'arrives' : 'lost'}`)
    .attr('d', ([, each]) => line()(each.points));
}
