/** Legend of colours, dashes and signs. */
import { element } from './dom.js';
import { sign, stateWord } from '../fabric/words.js';

const SVG = 'http://www.w3.org/2000/svg';

export function legend(parent) {
  parent.append(
    ...['up', 'down', 'held-back', 'drained', 'miscabled', 'unknown'].map((state) => element('li', {}, sample(state), `${sign(state)} ${stateWord(state)}`)),
    element('li', {}, 'width: load'),
    element('li', {}, 'water: DCMs of a spine'),
  );
}

function sample(state) {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('width', '34');
  svg.setAttribute('height', '10');
  svg.setAttribute('aria-hidden', 'true');
  const group = document.createElementNS(SVG, 'g');
  group.setAttribute('class', `link ${state}`);
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('class', 'stroke');
  path.setAttribute('d', 'M1,5h32');
  path.setAttribute('stroke-width', '3');
  group.append(path);
  svg.append(group);
  return svg;
}
