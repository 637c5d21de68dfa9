/** Repairs and changes of state: on a time axis, and as a list. */
import { element, button } from './dom.js';
import { replace } from './replace.js';
import { clock } from '../fabric/words.js';

const { select, scaleTime, scaleSqrt, axisBottom, timeFormat } = globalThis.d3;
const ROWS = [
  ['repair', 'repairs'], ['rebalanced', 'balance'], ['link-state', 'links'], ['switch-state', 'switches'], ['run-state', 'runs'],
  ['run-health', 'health'],
];
const HEIGHT = { row: 16, axis: 20 };
const LABEL = 64;
const MAX_LISTED = 100;
const SPANS = [[600, '10 minutes'], [3600, '1 hour'], [28800, '8 hours'], [86400, '1 day']];
const SIZE = scaleSqrt([0, 100], [4, 9]).clamp(true);

export function timeline(parent, choose) {
  let seconds = 600;
  let events = [];
  const svg = element('div', { class: 'axis' });
  const list = element('ol', { class: 'happened', reversed: true, tabindex: 0, 'aria-label': 'What happened, newest first' });
  const span = element('select', { 'aria-label': 'Time shown', onchange: (event) => { seconds = Number(event.target.value); draw(); } },
    SPANS.map(([value, text]) => element('option', { value, text })));
  parent.append(element('div', { class: 'title' }, element('h2', { id: 'happened', text: 'Repairs and changes' }), span), svg, list);
  const root = select(svg).append('svg').attr('role', 'img').attr('aria-label', 'Repairs and changes over time; the list beside it has them in words');
  root.append('g').attr('class', 'rows');
  root.append('g').attr('class', 'ticks');
  root.append('g').attr('class', 'marks');

  function draw() {
    const width = svg.clientWidth || 600;
    const height = ROWS.length * HEIGHT.row + HEIGHT.axis;
    const now = Date.now();
    const time = scaleTime([now - seconds * 1000, now], [LABEL, width - 10]);
    root.attr('width', width).attr('height', height);
    root.select('.rows').selectAll('text').data(ROWS).join('text').attr('x', 4)
      .attr('y', (row, at) => at * HEIGHT.row + 13).text((row) => row[1]);
    root.select('.rows').selectAll('path').data(ROWS).join('path')
      .attr('d', (row, at) => `M${LABEL},${at * HEIGHT.row + 9}H${width - 10}`);
    root.select('.ticks').attr('transform', `translate(0,${ROWS.length * HEIGHT.row})`)
      .call(axisBottom(time).ticks(Math.max(2, width / 110)).tickFormat(timeFormat('%H:%M:%S')).tickSizeOuter(0));
    const shown = events.filter((event) => event.time >= now - seconds * 1000);
    const marks = root.select('.marks').selectAll('g').data(shown, (event) => event.id).join((enter) => {
      const group = enter.append('g');
      group.append('path');
      group.append('title');
      return group;
    });
    marks.attr('class', (event) => `mark ${event.kind} ${event.state ?? ''}`)
      .attr('transform', (event) => `translate(${time(event.time)},${rowOf(event) * HEIGHT.row + 9})`);
    marks.select('path').attr('d', shape);
    marks.select('title').text((event) => `${clock(event.time)} ${event.text}`);
  }

  setInterval(draw, 2000);
  return {
    show({ history, name }) {
      events = history.events.filter((event) => event.fabric === undefined || event.fabric === name);
      const newest = events.slice(-MAX_LISTED).reverse();
      replace(list, newest.length ? newest.map((event) => element('li', { class: event.kind },
        element('time', { datetime: new Date(event.time).toISOString(), text: clock(event.time) }), ' ', eventText(event, choose)))
        : [element('li', { class: 'quiet', text: 'Nothing since the controller started.' })]);
      draw();
    },
  };
}

/** The text of an event; the name of a link or switch in it is a button that selects it. */
function eventText(event, choose) {
  const kind = { 'link-state': 'link', 'switch-state': 'switch' }[event.kind];
  if (!kind || !event.subject || !event.text.startsWith(event.subject)) {
    return event.text;
  }
  return [button(event.subject, () => choose({ kind, id: event.subject }), { class: 'link-button' }), event.text.slice(event.subject.length)];
}

function rowOf(event) {
  return Math.max(0, ROWS.findIndex(([kind]) => kind === event.kind));
}

/** A repair, and its step for balance, is a disc whose size grows with the DCMs moved; a triangle points down or up with the link. */
function shape(event) {
  if (event.kind === 'repair' || event.kind === 'rebalanced') {
    const size = SIZE(event.moved ?? 0);
    return `M${-size},0a${size},${size} 0 1,0 ${2 * size},0a${size},${size} 0 1,0 ${-2 * size},0`;
  }
  if (event.kind === 'run-state' || event.kind === 'run-health') {
    return 'M-4,-4h8v8h-8z';
  }
  return event.state === 'up' ? 'M-5,4h10l-5,-9z' : 'M-5,-4h10l-5,9z';
}
