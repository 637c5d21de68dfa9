/** Episodes in which daqrings dropped packets, each with a drawing of how full the daqring was. */
import { element, button } from './dom.js';
import { outline } from '../fabric/drops.js';
import { clock, count } from '../fabric/words.js';

const SVG = 'http://www.w3.org/2000/svg';
const MAX_SHOWN = 5;
const WIDTH = 360;
const HEIGHT = 44;

export function dropList(episodes, actions) {
  return episodes.length > 0 && [
    element('h3', { text: 'Daqrings that dropped packets' }),
    element('ul', { class: 'drops' }, episodes.slice(0, MAX_SHOWN).map((each) => element('li', {}, words(each, actions), drawing(each))),
      episodes.length > MAX_SHOWN && element('li', { text: `and ${episodes.length - MAX_SHOWN} more` })),
  ];
}

function words(episode, actions) {
  const choose = (kind, id) => button(id, () => actions.choose({ kind, id }), { class: 'link-button' });
  return element('p', {}, `${clock(episode.begin)} `, choose('dcm', episode.dcm), ' in ', choose('switch', episode.switch),
    `: ${count(episode.dropped, 'packet')} in ${episode.milliseconds} ms, `,
    episode.run === undefined ? 'in no run' : `run ${episode.run} of ${episode.partition}`);
}

/** The time around the first drop, which is marked; the daqring was full at the top. */
function drawing(episode) {
  const { before, values, peak } = episode;
  const svg = node('svg', { viewBox: `0 -1 ${WIDTH} ${HEIGHT + 14}`, role: 'img', class: 'occupancy',
    'aria-label': `How full it was: ${peak} packets at most, from ${before} ms before the first drop to ${values.length - before - 1} ms after it` });
  const x = before * WIDTH / values.length;
  svg.append(
    node('path', { class: 'fill', d: outline(episode, WIDTH, HEIGHT) }),
    node('path', { class: 'first', d: `M${x.toFixed(1)},0v${HEIGHT}` }),
    node('path', { class: 'ground', d: `M0,${HEIGHT}h${WIDTH}` }),
    node('text', { x: 0, y: HEIGHT + 11 }, `−${before} ms`),
    node('text', { x: x + 3, y: 9 }, count(peak, 'packet')),
    node('text', { x: WIDTH, y: HEIGHT + 11, 'text-anchor': 'end' }, `+${values.length - before - 1} ms`));
  return svg;
}

function node(tag, attributes, text = '') {
  const made = document.createElementNS(SVG, tag);
  Object.entries(attributes).forEach(([name, value]) => made.setAttribute(name, value));
  made.textContent = text;
  return made;
}
